package palmares.operations.lateevents;

import java.time.ZonedDateTime;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;

/** What is said of late events. */
public interface LateEventSentences {
  record Decided(String period, long events, Verdict verdict) implements Sentence {}

  record CountOnceAmended(String period) implements Sentence {}

  /** A decision, in a list. */
  record DecidedFor(String reason, String by) implements Sentence {}

  // Why an event cannot count.

  record OutsideOfPeriod(ZonedDateTime at) implements Sentence {}

  record NoAction(String action) implements Sentence {}

  record ImprovesNothing(String member, long points) implements Sentence {}

  record NoUndo(String action) implements Sentence {}

  record NothingToUndo(String member, String action, String subject) implements Sentence {}

  record NothingToUndoOfDay(String member, String action, String subject) implements Sentence {}

  record InvitesItself(String member) implements Sentence {}

  record TooMany(String action, long most, long quantity) implements Sentence {}

  record NoValue() implements Sentence {}

  record NoSecondKey(String name) implements Sentence {}

  record OncePerSubject(String member, String action, String subject) implements Sentence {}

  record OncePerSubjectADay(String member, String action, String subject, String day)
      implements Sentence {}

  record OncePerDay(String member, String action, String day) implements Sentence {}

  record OncePerPeriod(String member, String action) implements Sentence {}

  record CapOfDay(String member, String action, long times, String day) implements Sentence {}

  record CapOfPeriod(String member, String action, long times) implements Sentence {}

  record PointsPastLimit(String member, long points, long most) implements Sentence {}

  record SecondKeyPastLimit(String member, long value, long most) implements Sentence {}

  record AlsoInTime() implements Sentence {}

  record NotSettled(PeriodState state) implements Sentence {}

  record NeverOpened() implements Sentence {}

  // Refusals.

  record ChangeNeedsIds() implements Sentence {}

  record NoneUndecided(String period) implements Sentence {}

  record NoneUncounted(String period) implements Sentence {}

  record Unknown(String period, String event) implements Sentence {}

  record UnsettledPeriod(String period, PeriodState state) implements Sentence {}

  record UnopenedPeriod(String period) implements Sentence {}

  record ArchivedPeriod(String period) implements Sentence {}

  record Paid(String event, int revision, String period) implements Sentence {}

  record Prepared(String event, int revision, String period) implements Sentence {}

  record DecidedBefore(
      String event, String period, Verdict verdict, String by, ZonedDateTime at, String reason)
      implements Sentence {}

  record ArrivedInTime(String event, String period) implements Sentence {}

  record CannotCountAnyMore(String event, String period, Sentence why) implements Sentence {}

  /**
   * @param events those that cannot count
   */
  record NoneDecided(String period, Sentence events) implements Sentence {}

  record CannotCount(String event, Sentence why) implements Sentence {}
}
