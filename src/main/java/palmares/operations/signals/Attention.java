package palmares.operations.signals;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A period that is due, is not settled, and does not settle without help.
 *
 * @param age since when: since it was due, since its first failure, or since it is held
 * @param reason the failure, or what the period is held for; null if neither is known
 */
record Attention(Kind kind, String board, String period, Duration age, @Nullable String reason) {

  enum Kind {
    /** Due for longer than usual, although no closing of it has failed. */
    OVERDUE,
    /** Its last closing failed; the sweep retries it. */
    FAILED,
    /** Held for a person, or rejected by one. */
    HELD;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  String label() {
    return board + " " + period;
  }
}
