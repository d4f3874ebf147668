package palmares.closing;

import static palmares.period.PeriodState.PAID;

import org.springframework.stereotype.Component;
import palmares.proof.Anchors;
import palmares.proof.Manifests;
import palmares.revision.Revision;

/** From awards to a settled period. */
@Component
class Settling {
  private final Stages stages;
  private final Gate gate;
  private final LateWrites lateWrites;
  private final Manifests manifests;
  private final Anchors anchors;
  private final Expiry expiry;

  Settling(
      Stages stages,
      Gate gate,
      LateWrites lateWrites,
      Manifests manifests,
      Anchors anchors,
      Expiry expiry) {
    this.stages = stages;
    this.gate = gate;
    this.lateWrites = lateWrites;
    this.manifests = manifests;
    this.anchors = anchors;
    this.expiry = expiry;
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
    anchors.keep();
  }

  /** Only where the retention is over already, as in a history; else the sweep does it later. */
  void expire(Closing closing) {
    expiry.expire(closing);
  }
}
