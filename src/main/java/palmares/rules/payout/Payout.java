package palmares.rules.payout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a settled period of a board pays, to whom, and under whose eyes.
 *
 * @param rules in the file's order
 * @param match whether a member gets what all rules give, or only the first that gives something
 * @param minPoints members who have fewer (where the fewest win: more) get nothing; null for 1 on
 *     boards that add, for no such bound on others
 * @param eligible who may get anything
 * @param forfeited what becomes of the prize of a ranked member who may not get it
 * @param counts the currency whose movements the board's own points stand for, which it therefore
 *     never pays; null if it counts none
 * @param budgets the most that may be paid without asking, by currency; none if it is not there
 * @param control when a person is asked
 * @param owed what becomes of what an amendment takes away
 */
public record Payout(
    List<RewardRule> rules,
    Match match,
    @Nullable Long minPoints,
    Eligible eligible,
    Forfeited forfeited,
    @Nullable String counts,
    Map<String, Budget> budgets,
    ApprovalPolicy control,
    OverpaymentPolicy owed) {

  /** Of a board that pays nothing. */
  public static final Payout NOTHING = of(List.of());

  public Payout {
    rules = List.copyOf(rules);
    budgets = Collections.unmodifiableMap(new LinkedHashMap<>(budgets));
  }

  /** These rules, and all else as it is where a file is silent. */
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

  /** How many rules may pay one member. */
  public enum Match implements Choice {
    ALL,
    FIRST
  }

  /** Who may be paid. */
  public enum Eligible implements Choice {
    EVERYBODY,
    /** Members who had registered by the period's end. */
    REGISTERED
  }

  /** What becomes of a prize whose winner may not have it. */
  public enum Forfeited implements Choice {
    /** Nobody gets it. */
    NOBODY,
    /** Those behind move up to it: prizes go by rank among those who may have one. */
    MOVES_UP
  }
}
