package palmares.settlement.verification;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.settlement.verification.DifferenceSentences.None;
import palmares.settlement.verification.VerificationSentences.Extra;
import palmares.settlement.verification.VerificationSentences.Missing;
import palmares.settlement.verification.VerificationSentences.Unequal;
import palmares.settlement.verification.VerificationSentences.Where;

/**
 * One place where stored and derived data differ.
 *
 * @param where board and period, such as {@code invites 2026-W47}; empty if of no period
 * @param what the thing that differs, such as the line of a member
 * @param derived the value that should be stored; null if nothing should be
 * @param stored the stored value; null if it is missing
 */
public record Difference(
    String where, Sentence what, @Nullable Sentence derived, @Nullable Sentence stored) {
  /** Says whether something is extra, missing or unequal. */
  public Sentence said() {
    Sentence period = where.isEmpty() ? null : new Where(where);
    return stored == null
        ? new Missing(period, what, derived == null ? new None() : derived)
        : derived == null
            ? new Extra(period, what, stored)
            : new Unequal(period, what, derived, stored);
  }
}
