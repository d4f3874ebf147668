package palmares.reward;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.bulk.Piece;
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
   * Whether a member's prize depends on nobody else's line, so that pieces of all may be awarded.
   */
  static boolean goByMember(RewardRule rule) {
    return !(rule instanceof RankPrizes || rule instanceof TopPercent);
  }

  /**
   * Writes a rule's awards.
   *
   * @param table where to
   * @param decided how a person decided the ties; null while nobody has
   * @param piece of the members: all, where the rule does not {@link #goByMember}
   * @throws AwardsTooLarge if an account could not hold one of them
   */
  void award(String table, Revised revised, RewardRule rule, @Nullable Ties decided, Piece piece) {
    try {
      if (goByMember(rule)) {
        members.award(table, revised, rule, piece);
      } else {
        places.award(table, revised, rule, decided);
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
