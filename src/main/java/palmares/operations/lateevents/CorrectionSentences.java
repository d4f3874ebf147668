package palmares.operations.lateevents;

import palmares.platform.text.Sentence;

/** What is said of points that are corrected. */
interface CorrectionSentences {
  record PointsPastLimit(String member, long points, String period, long most)
      implements Sentence {}

  record UnknownMember(String member, String period) implements Sentence {}

  record NoLine(String member, String period) implements Sentence {}

  record SamePoints(String member, long points, String period) implements Sentence {}

  record NotComputed(int revision, String period, Sentence why) implements Sentence {}
}
