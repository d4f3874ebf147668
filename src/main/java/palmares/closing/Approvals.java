package palmares.closing;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.HELD;
import static palmares.period.PeriodState.RECONCILED;
import static palmares.period.PeriodState.REJECTED;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.act.Act;
import palmares.act.Acts;
import palmares.board.Board;
import palmares.payout.Control;
import palmares.payout.Control.Approval;
import palmares.payout.RewardRule.Ties;
import palmares.period.Definitions;
import palmares.period.Lease;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Transitions;
import palmares.period.WrongState;
import palmares.revision.Revision;
import palmares.revision.Revision.Verdict;
import palmares.revision.Revisions;
import palmares.revision.SamePerson;
import palmares.reward.Awards;
import palmares.reward.Scrutiny;

/**
 * What persons decide on closings that wait for them. Each decision commits by itself; whoever
 * calls lets the closing go on.
 */
@Component
public class Approvals {
  private final LeasedWork work;
  private final Definitions definitions;
  private final Transitions transitions;
  private final Revisions revisions;
  private final Awards awards;
  private final Scrutiny scrutiny;
  private final Acts acts;

  Approvals(
      LeasedWork work,
      Definitions definitions,
      Transitions transitions,
      Revisions revisions,
      Awards awards,
      Scrutiny scrutiny,
      Acts acts) {
    this.work = work;
    this.definitions = definitions;
    this.transitions = transitions;
    this.revisions = revisions;
    this.awards = awards;
    this.scrutiny = scrutiny;
    this.acts = acts;
  }

  /**
   * Lets a closing that waits pay. If a person's word on ties makes it pass its bounds, it waits on
   * with that among its reasons, until it is approved so.
   *
   * @return why it still waits; empty if it is approved
   * @throws WrongState if it does not wait
   * @throws palmares.revision.SamePerson if the board asks for a second person, and this is the
   *     first
   * @throws palmares.reward.TiesRefused if ties want a decision that is not given
   * @throws PeriodBusy if somebody else works on the period
   */
  public List<String> approve(PeriodId id, Answer answer) {
    return work.run(
        id,
        (lease, period) -> {
          require(period, HELD);
          Revision waiting = revisions.find(id, Revision.FIRST).orElseThrow();
          requireLookedAt(period, waiting, answer.look());
          requireSecondPerson(period, waiting, answer.by());
          List<String> more = decideTies(period, waiting, answer.ties());
          if (more.isEmpty()) {
            decide(period, Verdict.APPROVED, answer, "approve");
            transitions.advance(lease, HELD, APPROVED);
          }
          return more;
        });
  }

  /**
   * Refuses a closing that waits: it stays unpaid until it is restarted.
   *
   * @throws WrongState if it does not wait
   * @throws PeriodBusy if somebody else works on the period
   */
  public void reject(PeriodId id, Answer answer) {
    work.run(
        id,
        (lease, period) -> {
          require(period, HELD);
          decide(period, Verdict.REJECTED, answer, "reject");
          transitions.advance(lease, HELD, REJECTED);
          return period;
        });
  }

  /**
   * Takes a rejected closing back to where its snapshot was proved, to be ranked and awarded anew
   * as things are now; of any other that is under way, only the wish is kept.
   *
   * @throws WrongState if there is nothing to restart
   * @throws PeriodBusy if somebody else works on the period
   */
  public void restart(PeriodId id, Answer answer) {
    work.run(
        id,
        (lease, period) -> {
          requireUnderWay(period);
          if (period.state() == REJECTED) {
            takeBack(lease, period);
          }
          keep(period, "restart", answer);
          return period;
        });
  }

  private void takeBack(Lease lease, Period period) {
    revisions.forget(period.id(), Revision.FIRST);
    transitions.advance(lease, REJECTED, RECONCILED);
  }

  private void decide(Period period, Verdict verdict, Answer answer, String verb) {
    revisions.decide(
        period.id(), Revision.FIRST, verdict, answer.by(), answer.reason(), answer.ties());
    keep(period, verb, answer);
  }

  private void keep(Period period, String verb, Answer answer) {
    acts.keep(
        new Act(
            answer.by(),
            verb,
            period.board().value(),
            period.name().value(),
            Revision.FIRST,
            null,
            answer.reason()));
  }

  /** What a person's word on ties makes the awards pass beside what it waits for already. */
  private List<String> decideTies(Period period, Revision waiting, @Nullable Ties ties) {
    Board board = definitions.of(period);
    awards.decide(period, Revision.FIRST, board, ties);
    if (ties == null) {
      return List.of();
    }
    var more = new ArrayList<>(scrutiny.bounds(period, Revision.FIRST, board));
    more.removeAll(waiting.heldFor());
    if (!more.isEmpty()) {
      var all = new ArrayList<>(waiting.heldFor());
      all.addAll(more);
      revisions.hold(period.id(), Revision.FIRST, all, null);
    }
    return more;
  }

  /** What was computed anew has the number of what was before it. */
  private void requireLookedAt(Period period, Revision waiting, @Nullable String look) {
    boolean anew = acts.saw(period.board().value(), period.name().value(), "restart", null);
    if (look == null ? anew : !look.equals(waiting.look())) {
      throw new WrongState(
          "%s was computed anew: look at it again, then say --look %s"
              .formatted(period.label(), waiting.look()));
    }
  }

  private void requireSecondPerson(Period period, Revision waiting, String by) {
    Control control = definitions.of(period).payout().control();
    waiting.requireOther(by, control);
    if (control.approval() == Approval.TWO_PERSON
        && acts.saw(period.board().value(), period.name().value(), "restart", by)) {
      throw new SamePerson(by);
    }
  }

  private void require(Period period, PeriodState state) {
    if (period.state() != state) {
      throw new WrongState(
          "%s does not wait for approval: %s".formatted(period.label(), told(period)));
    }
  }

  private String told(Period period) {
    return revisions
        .find(period.id(), Revision.FIRST)
        .map(Revision::decision)
        .map(
            decision ->
                "it was %s by %s at %s"
                    .formatted(decision.verdict().word(), decision.by(), decision.at()))
        .orElse("it is " + period.state().word());
  }

  private static void requireUnderWay(Period period) {
    switch (period.state()) {
      case HELD ->
          throw new WrongState(
              "%s waits for a person: approve or reject it".formatted(period.label()));
      case SETTLED, EXPIRED ->
          throw new WrongState(
              "%s is settled: amend it, if it came out wrong".formatted(period.label()));
      default -> {}
    }
  }
}
