package palmares.settlement.closing;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/**
 * Says how an attempt to close a period ended.
 *
 * @param period the period's row after the attempt
 * @param detail why the closing failed or is held; null for other outcomes
 */
public record ClosingResult(Period period, Status outcome, @Nullable Sentence detail) {
  /** The detail in English, for logs; empty if there is none. */
  public String text() {
    return detail == null ? "" : Texts.english(detail);
  }

  public enum Status {
    /** This attempt settled the period. */
    SETTLED,
    /** The period was settled before; nothing changed. */
    ALREADY_SETTLED,
    /** The attempt failed; a scheduler tries again later. */
    FAILED,
    /** The outcome is held for a person's approval; nothing is paid yet. */
    HELD,
    /** Another process is closing the period. */
    BUSY,
    /** Another process took the period over during the attempt. */
    LOST
  }
}
