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
import palmares.settlement.verification.Verification;

/** Posts an amendment that is approved: money, what stands, and the proof, in one transaction. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
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
   * Posts what differs, and nothing unless the whole period verifies after it.
   *
   * @return how many transfers there are
   * @throws palmares.settlement.verification.VerificationFailed if it does not; the transaction
   *     must roll back
   */
  long post(Lease lease, Period period, Revision revision, Board rules) {
    long transfers = revisions.post(lease, revision.number());
    transitions.amend(lease, revision.number());
    manifests.write(period, revision.number(), rules);
    verification.verify(List.of(period.id())).require();
    outbox.amended(period, revision.number());
    return transfers;
  }
}
