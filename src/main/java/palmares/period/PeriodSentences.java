package palmares.period;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** What the state, the end or the lease of a period does not allow. */
public interface PeriodSentences {
  record NeverCloses(String period) implements Sentence {}

  record NeverSettled(String period) implements Sentence {}

  record NoneSettled(String board) implements Sentence {}

  record NoneSettledInRange(String board) implements Sentence {}

  record NotSettled(String period, String state, ZonedDateTime due) implements Sentence {}

  record NotBegun(String period, ZonedDateTime begins) implements Sentence {}

  record NotOver(String period, ZonedDateTime ends, ZonedDateTime due) implements Sentence {}

  record NotDue(String period, ZonedDateTime due) implements Sentence {}

  record BeingImported(String period) implements Sentence {}

  record NeverOpened(String period) implements Sentence {}

  /** An adopted board has no journal of what was before its first period. */
  record EndedBefore(String period) implements Sentence {}

  /** An extension of one period would leave nothing of the next one. */
  record NothingLeft(String period, ZonedDateTime until, String next, ZonedDateTime nextEnds)
      implements Sentence {}

  record NextNotMoved(String period, String next) implements Sentence {}

  record Busy(String period) implements Sentence {}

  record LeaseLost(long lease, long period) implements Sentence {}

  record NoTransition(PeriodState from, PeriodState to) implements Sentence {}

  record NotInState(long period, PeriodState from, PeriodState to, long lease)
      implements Sentence {}

  record NotAmendable(long period, int revision, long lease) implements Sentence {}

  record BoardPaused(String board, ZonedDateTime at, String by, String reason)
      implements Sentence {}

  record AlreadyPaused(String board, ZonedDateTime at, String by, String reason)
      implements Sentence {}

  record NotPaused(String board) implements Sentence {}
}
