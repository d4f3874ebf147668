package palmares.closing;

import static palmares.period.PeriodState.AWARDED;
import static palmares.period.PeriodState.PAID;
import static palmares.period.PeriodState.RANKED;
import static palmares.period.PeriodState.RECONCILED;

import org.springframework.stereotype.Component;
import palmares.proof.Manifests;
import palmares.reward.Awards;
import palmares.revision.Revision;
import palmares.revision.Revisions;

import palmares.standing.Ranking;

/** The second half of a closing: from a proved snapshot to a settled period. */
@Component
class Settling {
  private final Stages stages;
  private final Revisions revisions;
  private final Ranking ranking;
  private final Awards awards;
  private final Gate gate;
  private final LateWrites lateWrites;
  private final Manifests manifests;
  private final Expiry expiry;

  Settling(
      Stages stages,
      Revisions revisions,
      Ranking ranking,
      Awards awards,
      Gate gate,
      LateWrites lateWrites,
      Manifests manifests,
      Expiry expiry) {
    this.stages = stages;
    this.revisions = revisions;
    this.ranking = ranking;
    this.awards = awards;
    this.gate = gate;
    this.lateWrites = lateWrites;
    this.manifests = manifests;
    this.expiry = expiry;
  }

  void rank(Closing closing) {
    stages.advance(
        closing,
        RECONCILED,
        RANKED,
        () -> {
          revisions.begin(closing.period(), closing.board(), closing.by());
          ranking.rank(closing.period(), Revision.FIRST, closing.board());
        });
  }

  void award(Closing closing) {
    stages.advance(
        closing,
        RANKED,
        AWARDED,
        () -> awards.award(closing.period(), Revision.FIRST, closing.board()));
  }

  /** Whether it is paid now: not, if a person must look at it first. */
  boolean pay(Closing closing) {
    return PAID.isReachedBy(closing.period().state()) || gate.pass(closing);
  }

  /** From here on the report views show the period. */
  void publish(Closing closing) {
    lateWrites.look(closing);
    stages.settle(
        closing, () -> manifests.write(closing.period(), Revision.FIRST, closing.board()));
  }

  /** Only where the retention is over already, as in a history; else the sweep does it later. */
  void expire(Closing closing) {
    expiry.expire(closing);
  }
}
