package palmares.closing;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.AWARDED;
import static palmares.period.PeriodState.HELD;
import static palmares.period.PeriodState.PAID;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Transitions;
import palmares.revision.Revision;
import palmares.revision.Revision.Decision;
import palmares.revision.Revision.Verdict;
import palmares.revision.Revisions;
import palmares.reward.Payments;
import palmares.reward.Scrutiny;

/** What stands between awards and money: pays, or holds the closing for a person. */
@Component
class Gate {
  private final Stages stages;
  private final Revisions revisions;
  private final Transitions transitions;
  private final Scrutiny scrutiny;
  private final Payments payments;
  private final Clock clock;

  Gate(
      Stages stages,
      Revisions revisions,
      Transitions transitions,
      Scrutiny scrutiny,
      Payments payments,
      Clock clock) {
    this.stages = stages;
    this.revisions = revisions;
    this.transitions = transitions;
    this.scrutiny = scrutiny;
    this.payments = payments;
    this.clock = clock;
  }

  /**
   * Pays what nobody has to look at, or a person has approved, or whose hour of release has come.
   * Verdict, payment and state commit together; many payments are written behind the verdict, and
   * then become the period's in the transaction of its state.
   *
   * @return whether it is paid
   */
  boolean pass(Closing closing) {
    boolean many = payments.areMany(closing.period());
    boolean[] approved = {false};
    stages.within(
        closing,
        () -> {
          approved[0] = approved(closing);
          if (approved[0] && !many) {
            payments.pay(closing.lease(), closing.period(), Revision.FIRST);
            paid(closing);
          }
        });
    if (approved[0] && many) {
      payments.write(closing.lease(), closing.period(), () -> stages.renew(closing));
      stages.within(
          closing,
          () -> {
            payments.join(closing.lease(), closing.period());
            paid(closing);
          });
    }
    return approved[0];
  }

  private boolean approved(Closing closing) {
    return switch (closing.period().state()) {
      case AWARDED -> scrutinize(closing);
      case HELD -> released(closing);
      case APPROVED -> true;
      default -> false;
    };
  }

  private boolean scrutinize(Closing closing) {
    List<String> reasons = scrutiny.reasons(closing.period(), Revision.FIRST, closing.board());
    if (reasons.isEmpty()) {
      return approve(closing, Decision.RULES, "nothing asks for a person");
    }
    transitions.advance(closing.lease(), AWARDED, HELD);
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

  private void paid(Closing closing) {
    revisions.posted(closing.period().id(), Revision.FIRST);
    transitions.advance(closing.lease(), APPROVED, PAID);
  }
}
