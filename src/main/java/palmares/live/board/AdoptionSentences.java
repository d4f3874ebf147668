package palmares.live.board;

import java.time.ZonedDateTime;
import java.util.List;
import palmares.platform.text.Sentence;

/** What is said of the keys and the lines of an adopted board. */
interface AdoptionSentences {
  record Refused(String period, Sentence fault) implements Sentence {}

  record NoRight(String redis, String key, String board) implements Sentence {}

  record GrantPattern() implements Sentence {}

  record WrittenAgain(Sentence fault, String key, String sealed) implements Sentence {}

  record WrongType(String key, String type) implements Sentence {}

  record Taken(String key) implements Sentence {}

  record LinesChanged(String key, long lines, long sealed) implements Sentence {}

  record Unmarked(String key, String own) implements Sentence {}

  record NotSealed(String key, long members, long points, long sealedMembers, long sealedPoints)
      implements Sentence {}

  record Unreadable(long lines, String key, List<Sentence> first) implements Sentence {}

  record AndMore() implements Sentence {}

  record NoTimes(long lines, String key, String encoding) implements Sentence {}

  record NoRoom(ZonedDateTime from, ZonedDateTime deadline, String encoding) implements Sentence {}

  record Line(String member, Sentence fault) implements Sentence {}

  record Score(String score, Sentence fault) implements Sentence {}

  record SumTooLarge() implements Sentence {}

  record NotUtf8() implements Sentence {}

  record NotWhole(String text) implements Sentence {}

  record NotWholeIn(String key, String text) implements Sentence {}

  record OtherScore(String key, long entry, String score) implements Sentence {}
}
