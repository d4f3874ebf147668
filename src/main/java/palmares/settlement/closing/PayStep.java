package palmares.settlement.closing;

import org.springframework.stereotype.Component;
import palmares.settlement.manifest.Anchors;

/** Takes a filled period to a settled one. */
@Component
class PayStep {
  private final PostingGate gate;
  private final LateWriteCheck lateWrites;
  private final Anchors anchors;

  PayStep(PostingGate gate, LateWriteCheck lateWrites, Anchors anchors) {
    this.gate = gate;
    this.lateWrites = lateWrites;
    this.anchors = anchors;
  }

  /** Whether it is paid now: not, if a person must look at it first. */
  boolean pay(Closing closing) {
    if (closing.period().state().isSettled()) {
      return true;
    }
    lateWrites.look(closing);
    boolean settled = gate.pass(closing);
    if (settled) {
      anchors.keep();
    }
    return settled;
  }
}
