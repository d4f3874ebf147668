package palmares.operations.amendment;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.lateevents.Corrections;
import palmares.period.Period;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.lines.Ranking;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.Awards;

/** Computes what a revision that has just begun comes to: lines, ranks, awards. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class AmendmentComputation {
  private final Revisions revisions;
  private final Corrections corrections;
  private final Exclusions exclusions;
  private final Ranking ranking;
  private final Awards awards;

  AmendmentComputation(
      Revisions revisions,
      Corrections corrections,
      Exclusions exclusions,
      Ranking ranking,
      Awards awards) {
    this.revisions = revisions;
    this.corrections = corrections;
    this.exclusions = exclusions;
    this.ranking = ranking;
    this.awards = awards;
  }

  /** Makes the lines of an amendment of a revision. */
  void correct(Period period, int base, int revision, AmendmentRequest amendmentRequest) {
    corrections.carry(period, base, revision);
    corrections.acceptLate(period, revision);
    amendmentRequest
        .points()
        .forEach(
            (member, points) ->
                corrections.points(
                    period,
                    revision,
                    member,
                    points,
                    amendmentRequest.reason(),
                    amendmentRequest.by()));
    corrections.apply(period, revision);
  }

  /**
   * Ranks and awards by what the tables hold of it already.
   *
   * @param rules what it ranks and awards by
   * @param ties how a person decided ties; null if nobody has
   */
  void rank(Period period, int revision, Board rules, @Nullable Ties ties) {
    exclusions.freeze(period, revision);
    award(period, revision, rules, ties);
  }

  /** As {@link #rank}, as if these members were hidden too; nobody waits for it. */
  void suppose(
      Period period, int revision, Board rules, @Nullable Ties ties, Collection<MemberId> hidden) {
    exclusions.freezeForDryRun(period, revision, hidden);
    award(period, revision, rules, ties);
  }

  private void award(Period period, int revision, Board rules, @Nullable Ties ties) {
    int outcome = revisions.find(period.id(), revision).orElseThrow().id();
    ranking.rank(period, revision, outcome, rules);
    awards.award(period, revision, rules, ties);
  }
}
