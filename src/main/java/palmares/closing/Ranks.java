package palmares.closing;

import static palmares.period.PeriodState.AWARDED;
import static palmares.period.PeriodState.RANKED;
import static palmares.period.PeriodState.RECONCILED;

import org.springframework.stereotype.Component;
import palmares.exclusion.Exclusions;
import palmares.revision.Revision;
import palmares.revision.Revisions;
import palmares.reward.Awards;
import palmares.reward.ManyAwards;
import palmares.standing.Ranking;

/** From a proved snapshot to what each member is to get. */
@Component
class Ranks {
  private final Stages stages;
  private final Revisions revisions;
  private final Exclusions exclusions;
  private final Ranking ranking;
  private final ManyAwards manyAwards;
  private final Awards awards;

  Ranks(
      Stages stages,
      Revisions revisions,
      Exclusions exclusions,
      Ranking ranking,
      ManyAwards manyAwards,
      Awards awards) {
    this.stages = stages;
    this.revisions = revisions;
    this.exclusions = exclusions;
    this.ranking = ranking;
    this.manyAwards = manyAwards;
    this.awards = awards;
  }

  void rank(Closing closing) {
    stages.advance(
        closing,
        RECONCILED,
        RANKED,
        () -> {
          revisions.begin(
              closing.period(), closing.board(), closing.cause().by(), closing.cause().person());
          exclusions.freeze(closing.period(), Revision.FIRST);
          ranking.rank(closing.period(), Revision.FIRST, closing.board());
        });
  }

  void award(Closing closing) {
    boolean many = closing.period().state() == RANKED && written(closing);
    stages.advance(
        closing,
        RANKED,
        AWARDED,
        () -> {
          if (many) {
            awards.join(closing.period(), closing.board());
          } else {
            awards.award(closing.period(), Revision.FIRST, closing.board(), null);
          }
        });
  }

  /** Ranking may have taken longer than the lease was to last. */
  private boolean written(Closing closing) {
    stages.renew(closing);
    return manyAwards.write(
        closing.lease(), closing.period(), closing.board(), () -> stages.renew(closing));
  }
}
