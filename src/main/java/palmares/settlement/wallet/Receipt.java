package palmares.settlement.wallet;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;

/**
 * What a wallet says became of an award.
 *
 * @param award as the wallet names it
 * @param amount what it has credited; null if it does not say so
 * @param reason why it refused the award; null if it did not
 */
public record Receipt(String award, Result result, @Nullable Long amount, @Nullable String reason) {
  public Receipt {
    award = AwardKey.canonical(award);
    reason = reason == null ? null : reason.replace('\0', '?').strip();
  }

  /** Whether the wallet has credited the award. */
  public enum Result implements Choice {
    /** The member has it. */
    CREDITED,
    /** The wallet does not credit it, or does not take it back. */
    REFUSED,
    /** The member has it no longer: the wallet has taken it back, or never credited it. */
    RETURNED;

    /** Whether nothing can follow. */
    boolean isFinal() {
      return switch (this) {
        case CREDITED, RETURNED -> true;
        case REFUSED -> false;
      };
    }
  }

  /** Where a receipt comes from. */
  public enum Source implements Choice {
    /** From the answer to a delivery. */
    ANSWER,
    /** From a call of the API. */
    CALL,
    /** From a list of the wallet. */
    LIST
  }
}
