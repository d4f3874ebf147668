package palmares.operations.rebuild;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.live.board.ClosingForgotten;
import palmares.live.journal.JournalGap;
import palmares.live.journal.MissingEvents;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;

/**
 * What PostgreSQL lacks, and a rebuild gives up.
 *
 * @param forgotten the state that PostgreSQL has forgotten; null if there is none
 */
record Loss(MissingEvents events, @Nullable PeriodState forgotten) {
  private static final String FORGOTTEN = "forgotten";

  /** Returns what {@link #facts} gave. */
  static Loss of(Map<String, String> facts) {
    String forgotten = facts.get(FORGOTTEN);
    return new Loss(MissingEvents.of(facts), forgotten == null ? null : PeriodState.of(forgotten));
  }

  /** Returns it as fields of a hash. */
  Map<String, String> facts() {
    var facts = new HashMap<>(events.facts());
    if (forgotten != null) {
      facts.put(FORGOTTEN, forgotten.word());
    }
    return facts;
  }

  boolean isNone() {
    return events.isNone() && forgotten == null;
  }

  /**
   * Requires that a person accepts it, if something is lost.
   *
   * @param last says which event is the last that PostgreSQL has; null if no event is lost
   */
  void requireAcknowledged(
      Period period, @Nullable Acknowledgement acknowledged, @Nullable Sentence last) {
    if (acknowledged != null) {
      return;
    }
    if (!events.isNone()) {
      throw JournalGap.missing(period, events, last);
    }
    if (forgotten != null) {
      throw new ClosingForgotten(period, forgotten.word());
    }
  }
}
