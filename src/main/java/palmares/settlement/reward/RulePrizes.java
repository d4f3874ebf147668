package palmares.settlement.reward;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.rules.payout.RewardRule.Visitor;
import palmares.settlement.reward.AwardRows.Due;

/** Writes the awards of any kind of reward rule, and finds the ties that it leaves to a person. */
@Component
class RulePrizes {
  /** PostgreSQL's word for a number that its column cannot hold. */
  private static final String OUT_OF_RANGE = "22003";

  private final PlacePrizes places;
  private final MemberPrizes members;
  private final AwardRows rows;

  RulePrizes(PlacePrizes places, MemberPrizes members, AwardRows rows) {
    this.places = places;
    this.members = members;
    this.rows = rows;
  }

  /**
   * Writes what a rule gives.
   *
   * @param decided how a person decided the ties; null while nobody has
   * @throws AwardsTooLarge if an account could not hold one of them
   */
  void award(RevisionContext revised, RewardRule rule, @Nullable Ties decided) {
    try {
      rule.accept(new DueByKind(revised, decided)).ifPresent(due -> rows.write(revised, rule, due));
    } catch (DataAccessException e) {
      throw outOfRange(e)
          ? new AwardsTooLarge(
              "%s: the rule '%s' awards a member more %s than an account can hold"
                  .formatted(revised.period().label(), rule.name(), rule.currency()))
          : e;
    }
  }

  /** The ties that the rule leaves to a person and whose prizes depend on the answer. */
  List<HeldTie> heldTies(RevisionContext revised, RewardRule rule) {
    return rule.holdsTies() ? rule.accept(new HeldTiesByKind(revised)) : List.of();
  }

  /** What a rule of each kind gives, as SQL; empty if nobody can have it. */
  private final class DueByKind implements Visitor<Optional<Due>> {
    private final RevisionContext revised;
    private final @Nullable Ties decided;

    DueByKind(RevisionContext revised, @Nullable Ties decided) {
      this.revised = revised;
      this.decided = decided;
    }

    @Override
    public Optional<Due> rankPrizes(RankPrizes rule) {
      return Optional.of(places.due(revised, places.places(rule), decided));
    }

    @Override
    public Optional<Due> topPercent(TopPercent rule) {
      return Optional.of(places.due(revised, places.places(revised, rule), decided));
    }

    @Override
    public Optional<Due> milestones(Milestones rule) {
      return Optional.of(members.milestones(revised, rule));
    }

    @Override
    public Optional<Due> perAction(PerAction rule) {
      return members.perAction(revised, rule);
    }

    @Override
    public Optional<Due> takingPart(TakingPart rule) {
      return Optional.of(members.takingPart(revised, rule));
    }
  }

  /** The ties that matter to a rule of each kind; member rules have none. */
  private final class HeldTiesByKind implements Visitor<List<HeldTie>> {
    private final RevisionContext revised;

    HeldTiesByKind(RevisionContext revised) {
      this.revised = revised;
    }

    @Override
    public List<HeldTie> rankPrizes(RankPrizes rule) {
      return places.heldTies(revised, places.places(rule));
    }

    @Override
    public List<HeldTie> topPercent(TopPercent rule) {
      return places.heldTies(revised, places.places(revised, rule));
    }

    @Override
    public List<HeldTie> milestones(Milestones rule) {
      return List.of();
    }

    @Override
    public List<HeldTie> perAction(PerAction rule) {
      return List.of();
    }

    @Override
    public List<HeldTie> takingPart(TakingPart rule) {
      return List.of();
    }
  }

  private static boolean outOfRange(DataAccessException e) {
    return e.getMostSpecificCause() instanceof SQLException cause
        && OUT_OF_RANGE.equals(cause.getSQLState());
  }
}
