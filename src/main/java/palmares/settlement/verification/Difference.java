package palmares.settlement.verification;

import org.jspecify.annotations.Nullable;

/**
 * One place where what is stored is not what was derived.
 *
 * @param where board and period, as in {@code invites 2026-W47}; empty for the ledger as a whole
 * @param what as in {@code standing of m42}
 * @param derived what should be there; null for something extra
 * @param stored what is there; null for something missing
 */
public record Difference(
    String where, String what, @Nullable String derived, @Nullable String stored) {

  /** One line for people. */
  public String sentence() {
    String kind = derived == null ? "extra" : stored == null ? "missing" : "unequal";
    String subject = where.isEmpty() ? what : where + ": " + what;
    return switch (kind) {
      case "extra" -> "extra: %s: %s".formatted(subject, stored);
      case "missing" -> "missing: %s: %s".formatted(subject, derived);
      default -> "unequal: %s: derived %s, stored %s".formatted(subject, derived, stored);
    };
  }
}
