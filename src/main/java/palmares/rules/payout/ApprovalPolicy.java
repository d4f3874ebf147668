package palmares.rules.payout;

import java.time.LocalTime;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;

/**
 * When a payout requires approval by a person.
 *
 * @param approval whether every payout requires it, and by whom
 * @param unusual requires approval if a payout is at least this many times its usual size, or at
 *     most that fraction of it; null for never, else at least 2
 * @param releaseAt the time of day in the board's zone at which a pending approval is given
 *     automatically; null for never
 */
public record ApprovalPolicy(
    Approval approval, @Nullable Integer unusual, @Nullable LocalTime releaseAt) {
  /** Requires approval only for exceeded budgets and tie decisions. */
  public static final ApprovalPolicy NONE = new ApprovalPolicy(Approval.NONE, null, null);

  /** Whose approval a closing requires. */
  public enum Approval implements Choice {
    /** None, unless it exceeds its budget, is unusual or has ties to decide. */
    NONE,
    /** That of one person, who may have prepared it. */
    REQUIRED,
    /** Those of two people who did not shape the outcome. */
    TWO_PERSON;

    /** Whether every payout requires a person's approval. */
    public boolean isRequired() {
      return switch (this) {
        case NONE -> false;
        case REQUIRED, TWO_PERSON -> true;
      };
    }

    /** Whether the approval must be that of another person. */
    public boolean isOfTwoPeople() {
      return switch (this) {
        case NONE, REQUIRED -> false;
        case TWO_PERSON -> true;
      };
    }
  }
}
