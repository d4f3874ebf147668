package palmares.closing;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.HELD;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.outbox.Outbox;
import palmares.period.Period;
import palmares.period.Transitions;
import palmares.proof.Manifests;
import palmares.revision.Revision;
import palmares.revision.Revision.Decision;
import palmares.revision.Revision.Verdict;
import palmares.revision.Revisions;
import palmares.reward.Scrutiny;

/** What is between a filled outcome and money: posts it, or holds it for a person. */
@Component
class Gate {
  private final Stages stages;
  private final Revisions revisions;
  private final Transitions transitions;
  private final Scrutiny scrutiny;
  private final Manifests manifests;
  private final Outbox outbox;
  private final Clock clock;

  Gate(
      Stages stages,
      Revisions revisions,
      Transitions transitions,
      Scrutiny scrutiny,
      Manifests manifests,
      Outbox outbox,
      Clock clock) {
    this.stages = stages;
    this.revisions = revisions;
    this.transitions = transitions;
    this.scrutiny = scrutiny;
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
    stages.within(
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
    List<String> reasons = scrutiny.reasons(closing.period(), Revision.FIRST, closing.board());
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
        scrutiny.release(closing.period(), Revision.FIRST, closing.board()));
  }

  /** What was within the budget when it was held may pass it by now: then a person is asked. */
  private boolean released(Closing closing) {
    Period period = closing.period();
    Instant release = revisions.find(period.id(), Revision.FIRST).orElseThrow().releaseAt();
    if (release == null || clock.instant().isBefore(release)) {
      return false;
    }
    if (!scrutiny.overBudget(period, Revision.FIRST, closing.board()).isEmpty()) {
      hold(closing, scrutiny.reasons(period, Revision.FIRST, closing.board()));
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
