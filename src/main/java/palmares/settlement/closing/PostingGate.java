package palmares.settlement.closing;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.HELD;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Transitions;
import palmares.settlement.manifest.Manifests;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Decision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.ApprovalCheck;

/** What is between a filled outcome and money: posts it, or holds it for a person. */
@Component
class PostingGate {
  private final StateSteps stateSteps;
  private final Revisions revisions;
  private final Transitions transitions;
  private final ApprovalCheck approvalCheck;
  private final Manifests manifests;
  private final Outbox outbox;
  private final Clock clock;

  PostingGate(
      StateSteps stateSteps,
      Revisions revisions,
      Transitions transitions,
      ApprovalCheck approvalCheck,
      Manifests manifests,
      Outbox outbox,
      Clock clock) {
    this.stateSteps = stateSteps;
    this.revisions = revisions;
    this.transitions = transitions;
    this.approvalCheck = approvalCheck;
    this.manifests = manifests;
    this.outbox = outbox;
    this.clock = clock;
  }

  /**
   * Posts what nobody has to look at, or a person has approved, or whose hour of release has come.
   * Verdict, posting, manifest and state commit together.
   *
   * @return whether it is settled
   */
  boolean pass(Closing closing) {
    boolean[] settled = {false};
    stateSteps.within(
        closing,
        () -> {
          settled[0] = approved(closing);
          if (settled[0]) {
            settle(closing);
          }
        });
    return settled[0];
  }

  /** From here on its payments are money, and the views show the period. */
  private void settle(Closing closing) {
    revisions.post(closing.lease(), Revision.FIRST);
    transitions.settle(closing.lease());
    manifests.write(closing.period(), Revision.FIRST, closing.board());
    outbox.settled(closing.period());
  }

  private boolean approved(Closing closing) {
    return switch (closing.period().state()) {
      case FILLED -> scrutinize(closing);
      case HELD -> released(closing);
      case APPROVED -> true;
      case OPEN, SEALED, REJECTED, SETTLED, EXPIRED -> false;
    };
  }

  private boolean scrutinize(Closing closing) {
    List<String> reasons = approvalCheck.reasons(closing.period(), Revision.FIRST, closing.board());
    if (reasons.isEmpty()) {
      return approve(closing, Decision.RULES, "nothing asks for a person");
    }
    transitions.advance(closing.lease(), FILLED, HELD);
    hold(closing, reasons);
    return false;
  }

  private void hold(Closing closing, List<String> reasons) {
    revisions.hold(
        closing.period().id(),
        Revision.FIRST,
        reasons,
        approvalCheck.release(closing.period(), Revision.FIRST, closing.board()));
  }

  /** What was within the budget when it was held may pass it by now: then a person is asked. */
  private boolean released(Closing closing) {
    Period period = closing.period();
    Instant release = revisions.find(period.id(), Revision.FIRST).orElseThrow().releaseAt();
    if (release == null || clock.instant().isBefore(release)) {
      return false;
    }
    if (!approvalCheck.overBudget(period, Revision.FIRST, closing.board()).isEmpty()) {
      hold(closing, approvalCheck.reasons(period, Revision.FIRST, closing.board()));
      return false;
    }
    return approve(closing, Decision.RULES, "nobody objected until the hour of release");
  }

  private boolean approve(Closing closing, String by, String reason) {
    revisions.decide(closing.period().id(), Revision.FIRST, Verdict.APPROVED, by, reason);
    transitions.advance(closing.lease(), closing.period().state(), APPROVED);
    return true;
  }
}
