package palmares.rules.payout;

import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * When a person is asked before a closing pays.
 *
 * @param approval whether always, and who may answer
 * @param unusual ask if a payout is so many times its usual size or more, or so small a part of it
 *     or less; null for never, else at least 2
 * @param releaseAt the time of day in the board's zone at which what waits goes on by itself; null
 *     for never
 */
public record ApprovalPolicy(
    Approval approval, @Nullable Integer unusual, @Nullable LocalTime releaseAt) {

  /** Nobody is asked but for a budget or a tie that says so. */
  public static final ApprovalPolicy NONE = new ApprovalPolicy(Approval.NONE, null, null);

  /** Whose word a closing waits for. */
  public enum Approval implements Choice {
    /** Nobody's, unless it is over its budget, unusual or tied. */
    NONE,
    /** Anybody's. */
    REQUIRED,
    /** That of somebody else than who prepared it. */
    TWO_PERSON
  }
}
