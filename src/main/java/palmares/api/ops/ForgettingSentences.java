package palmares.api.ops;

import palmares.platform.text.Sentence;

/** What is said of a member that is forgotten. */
public interface ForgettingSentences {
  record Forgotten(String member) implements Sentence {}

  record ForgottenBefore(String member) implements Sentence {}

  record AnswersLeft(String member) implements Sentence {}
}
