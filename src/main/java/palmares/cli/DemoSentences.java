package palmares.cli;

import palmares.platform.text.Sentence;

/** What the demo says of the month that it plays, and of what can be tried afterwards. */
interface DemoSentences {
  record Plays(String server) implements Sentence {}

  record Month() implements Sentence {}

  record Days() implements Sentence {}

  record Events(long events) implements Sentence {}

  record Counted(long events) implements Sentence {}

  record KeepsRunning() implements Sentence {}

  record KeyOnce(String key) implements Sentence {}

  // The tour.

  record WentWrong() implements Sentence {}

  record OverBudget() implements Sentence {}

  record Tie() implements Sentence {}

  record ChangedScore() implements Sentence {}

  record Cheater(String member, long credits) implements Sentence {}

  record Proof() implements Sentence {}

  record AlsoInInbox() implements Sentence {}

  record Console(String address, String operator, String approver, String password)
      implements Sentence {}

  record Stops() implements Sentence {}
}
