package palmares.rules.payout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;

/**
 * Says what a settled period of a board pays, to whom, and with which approval.
 *
 * @param rules in the file's order
 * @param match whether all rules pay a member, or only the first one that would
 * @param minPoints members with fewer points (where the fewest win: more) are not paid; null for 1
 *     on boards where points add up, and for no limit on others
 * @param eligible which members may be paid
 * @param forfeited what happens to the prize of a ranked member who may not be paid
 * @param counts the currency whose transfers the board's points count, in which it therefore never
 *     pays; null if it counts none
 * @param budgets the most that may be paid without approval, by currency
 * @param approvalPolicy when a payout requires approval
 * @param overpaymentPolicy what happens to a payment that an amendment takes away
 */
public record Payout(
    List<RewardRule> rules,
    Match match,
    @Nullable Long minPoints,
    Eligible eligible,
    Forfeited forfeited,
    @Nullable String counts,
    Map<String, Budget> budgets,
    ApprovalPolicy approvalPolicy,
    OverpaymentPolicy overpaymentPolicy) {
  /** Pays nothing. */
  public static final Payout NOTHING = of(List.of());

  public Payout {
    rules = List.copyOf(rules);
    budgets = Collections.unmodifiableMap(new LinkedHashMap<>(budgets));
  }

  /** These rules with the defaults of all other settings. */
  public static Payout of(List<RewardRule> rules) {
    return new Payout(
        rules,
        Match.ALL,
        null,
        Eligible.EVERYBODY,
        Forfeited.NOBODY,
        null,
        Map.of(),
        ApprovalPolicy.NONE,
        OverpaymentPolicy.TAKE);
  }

  /** Says how many rules may pay a member. */
  public enum Match implements Choice {
    ALL,
    FIRST;

    /** Whether only the first rule that would pay a member does. */
    public boolean isFirstOnly() {
      return switch (this) {
        case ALL -> false;
        case FIRST -> true;
      };
    }
  }

  /** Who may be paid. */
  public enum Eligible implements Choice {
    EVERYBODY,
    /** Members who had registered by the period's end. */
    REGISTERED;

    public boolean isRegisteredOnly() {
      return switch (this) {
        case EVERYBODY -> false;
        case REGISTERED -> true;
      };
    }
  }

  /** Says what happens to the prize of a member who may not be paid. */
  public enum Forfeited implements Choice {
    /** It is not paid. */
    NOBODY,
    /** The next members get it: prizes go by rank among the members who may be paid. */
    MOVES_UP;

    public boolean movesUp() {
      return switch (this) {
        case NOBODY -> false;
        case MOVES_UP -> true;
      };
    }
  }
}
