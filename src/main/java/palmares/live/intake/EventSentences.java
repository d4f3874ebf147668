package palmares.live.intake;

import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** Why an event, a registration, or a whole request is not taken. */
public interface EventSentences {
  record NoObject(String value) implements Sentence {}

  record UnknownField(String field, List<String> fields) implements Sentence {}

  record MissingField(String field) implements Sentence {}

  record NotText(String field, String value) implements Sentence {}

  record NotFlag(String field, String value) implements Sentence {}

  record NotWhole(String field, long least, String value) implements Sentence {}

  record TimeOutOfRange(String time) implements Sentence {}

  record NoTime(String text) implements Sentence {}

  record NoBoardId(String text) implements Sentence {}

  record ReservedId(String prefix) implements Sentence {}

  record UnknownAction(String action) implements Sentence {}

  record NotCounted(String board, String action, List<String> actions) implements Sentence {}

  record MayWriteNone(String action) implements Sentence {}

  record MayNotWrite(String board) implements Sentence {}

  record UnknownBoard(String board, List<String> boards) implements Sentence {}

  record Adopted(String board, String key) implements Sentence {}

  record NoPeriod(String board, ZonedDateTime at) implements Sentence {}

  record OutsidePeriod(String period, ZonedDateTime at) implements Sentence {}

  record IdOfLateEvent(String id, String period) implements Sentence {}

  record TooLate(String period, ZonedDateTime ended) implements Sentence {}

  record Late(String period) implements Sentence {}

  record MissingTime(String board) implements Sentence {}

  record FutureTime(ZonedDateTime at, ZonedDateTime now) implements Sentence {}

  record NoUndo(String board, String action) implements Sentence {}

  record UndoWithoutSubject() implements Sentence {}

  record SelfInvite(String member, @Nullable String subject) implements Sentence {}

  record DerivedAction(String board, String action) implements Sentence {}

  record MaxQuantity(String board, String action, long most, long quantity) implements Sentence {}

  record NothingToUndo(String member, String action, @Nullable String subject, String period)
      implements Sentence {}

  record NothingToUndoOfDay(
      String member, String action, @Nullable String subject, String day, String period)
      implements Sentence {}

  record NotUsed(String field, List<String> boards) implements Sentence {}

  record MissingNumber(String board, String field) implements Sentence {}

  record MaxNumber(String board, String field, long most, long number) implements Sentence {}

  record IdTaken(String id, String period) implements Sentence {}

  record MaxPoints(String member, String period, long points, long more, long most)
      implements Sentence {}

  record MaxThenBy(String member, String period, @Nullable Long more, long most)
      implements Sentence {}

  record MaxSum(String period) implements Sentence {}

  record MaxEvents(String period, long events) implements Sentence {}

  record LaterHeld(String member, String period, @Nullable Long value) implements Sentence {}

  record NotBetter(String member, String period, @Nullable Long value) implements Sentence {}

  record DoneToSubject(String member, String action, @Nullable String subject, String period)
      implements Sentence {}

  record DoneToSubjectOnDay(
      String member, String action, @Nullable String subject, String day, String period)
      implements Sentence {}

  record DoneOnce(String member, String action, String period, String per) implements Sentence {}

  /**
   * @param perDay null if a day has no limit
   * @param perPeriod null if the period has no limit
   */
  record Capped(
      String member,
      String action,
      String period,
      @Nullable PerDay perDay,
      @Nullable PerPeriod perPeriod)
      implements Sentence {}

  record PerDay(long most) implements Sentence {}

  record PerPeriod(long most) implements Sentence {}

  record LineTooLong(long most) implements Sentence {}

  record EmptyBody() implements Sentence {}

  record TooManyEvents(long most) implements Sentence {}
}
