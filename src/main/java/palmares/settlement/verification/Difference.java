package palmares.settlement.verification;

import org.jspecify.annotations.Nullable;

/**
 * One place where stored and derived data differ.
 *
 * @param where board and period, such as {@code invites 2026-W47}; empty if of no period
 * @param what the thing that differs, such as {@code line of m42}
 * @param derived the value that should be stored; null if nothing should be
 * @param stored the stored value; null if it is missing
 */
public record Difference(
    String where, String what, @Nullable String derived, @Nullable String stored) {
  /** One line for people, which begins with extra, missing or unequal. */
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
