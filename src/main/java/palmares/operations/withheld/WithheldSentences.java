package palmares.operations.withheld;

import java.time.ZonedDateTime;
import palmares.operations.withheld.WithheldLines.State;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;

/** What is said of withheld lines. */
public interface WithheldSentences {
  // Why a line is flagged.

  record Chain(long invites) implements Sentence {}

  record SameAddress(long members) implements Sentence {}

  record SameDevice(long members) implements Sentence {}

  /** A decision, in a list. */
  record DecidedFor(String reason, String by) implements Sentence {}

  record Decided(String period, long lines, State decision) implements Sentence {}

  record PaidOnceAmended(String period) implements Sentence {}

  // Refusals

  record Unsettled(String period, PeriodState state) implements Sentence {}

  record NoneUndecided(String period) implements Sentence {}

  record NotFlagged(String period, String member) implements Sentence {}

  record Archived(String period) implements Sentence {}

  record DecidedBefore(
      String member, String period, State decision, String by, ZonedDateTime at, String reason)
      implements Sentence {}
}
