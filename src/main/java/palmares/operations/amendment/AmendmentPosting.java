package palmares.operations.amendment;

import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.Transitions;
import palmares.rules.board.Board;
import palmares.settlement.manifest.Manifests;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Posted;
import palmares.settlement.verification.Verification;

/** Posts approved amendments. */
@Component
class AmendmentPosting {
  private final Revisions revisions;
  private final Transitions transitions;
  private final Manifests manifests;
  private final Verification verification;
  private final Outbox outbox;

  AmendmentPosting(
      Revisions revisions,
      Transitions transitions,
      Manifests manifests,
      Verification verification,
      Outbox outbox) {
    this.revisions = revisions;
    this.transitions = transitions;
    this.manifests = manifests;
    this.verification = verification;
    this.outbox = outbox;
  }

  /**
   * Posts the differences of an amendment, which becomes the current revision.
   *
   * @param rules those that it awards by
   * @return the number of payments
   * @throws palmares.platform.Refusal if the whole period does not verify with them; the caller's
   *     transaction must roll back
   */
  @Transactional(propagation = Propagation.MANDATORY)
  long post(Lease lease, Period period, Revision revision, Board rules) {
    Posted posted = revisions.post(lease, revision.number());
    transitions.amend(lease, revision.number());
    manifests.write(period, revision.number(), posted.outcome(), rules);
    verification.verify(List.of(period.id())).require();
    outbox.amended(period, revision.number());
    return posted.payments();
  }
}
