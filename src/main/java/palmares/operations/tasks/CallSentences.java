package palmares.operations.tasks;

import palmares.platform.text.Sentence;

/** Why the condition of a call does not hold. */
public interface CallSentences {
  record KeyInvalid() implements Sentence {}

  record NoTag() implements Sentence {}

  record NotShown(String verb, String etag) implements Sentence {}

  record Changed(String period, String state, String etag) implements Sentence {}
}
