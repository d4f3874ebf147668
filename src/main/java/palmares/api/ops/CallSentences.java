package palmares.api.ops;

import palmares.platform.text.Sentence;

/** Why the condition of a call does not hold. */
interface CallSentences {
  record NoTag() implements Sentence {}

  record NotShown(String verb, String etag) implements Sentence {}

  record Changed(String period, String state, String etag) implements Sentence {}
}
