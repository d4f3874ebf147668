package palmares.settlement.outcome;

import palmares.platform.text.Sentence;

/** Why an outcome that somebody has approved is not posted yet. */
public interface ApprovalSentences {
  record TiesDecided() implements Sentence {}

  record AnotherPerson(String by) implements Sentence {}
}
