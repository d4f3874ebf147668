package palmares.operations.report;

import java.time.ZonedDateTime;
import java.util.List;
import palmares.platform.text.Sentence;

/** What a person must do about a period next, or what happens without one. */
interface PeriodNextSentences {
  record Decide() implements Sentence {}

  record DecideRevision(int revision) implements Sentence {}

  record Restart() implements Sentence {}

  record Repair(ZonedDateTime retry) implements Sentence {}

  record AmendedBy(String by, String reason) implements Sentence {}

  record HeldFor(List<? extends Sentence> reasons) implements Sentence {}

  record Closes(ZonedDateTime at) implements Sentence {}

  record Due() implements Sentence {}

  record BeingClosed() implements Sentence {}
}
