package palmares.reward;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.RankPrizes;
import palmares.payout.RewardRule.Ties;
import palmares.payout.RewardRule.TopPercent;

/** What a rule of whatever kind gives. */
@Component
class RulePrizes {
  /** PostgreSQL's word for a number that its column cannot hold. */
  private static final String OUT_OF_RANGE = "22003";

  private final PlacePrizes places;
  private final MemberPrizes members;

  RulePrizes(PlacePrizes places, MemberPrizes members) {
    this.places = places;
    this.members = members;
  }

  /**
   * Writes what a rule gives.
   *
   * @param decided how a person decided the ties; null while nobody has
   * @throws AwardsTooLarge if an account could not hold one of them
   */
  void award(Revised revised, RewardRule rule, @Nullable Ties decided) {
    try {
      if (rule instanceof RankPrizes || rule instanceof TopPercent) {
        places.award(revised, rule, decided);
      } else {
        members.award(revised, rule);
      }
    } catch (DataAccessException e) {
      throw outOfRange(e)
          ? new AwardsTooLarge(
              "%s: the rule '%s' awards a member more %s than an account can hold"
                  .formatted(revised.period().label(), rule.name(), rule.currency()))
          : e;
    }
  }

  private static boolean outOfRange(DataAccessException e) {
    return e.getMostSpecificCause() instanceof SQLException cause
        && OUT_OF_RANGE.equals(cause.getSQLState());
  }
}
