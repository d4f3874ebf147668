package palmares.settlement.closing;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.HELD;
import static palmares.period.PeriodState.REJECTED;
import static palmares.period.PeriodState.SEALED;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Transitions;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.rules.board.Board;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.SamePersonRefused;
import palmares.settlement.reward.ApprovalCheck;
import palmares.settlement.reward.Awards;

/**
 * What persons decide on closings that wait for them. Each decision commits by itself; whoever
 * calls lets the closing go on.
 */
@Component
public class Approvals {
  private final LeasedWork work;
  private final BoardDefinitions definitions;
  private final Transitions transitions;
  private final Revisions revisions;
  private final Awards awards;
  private final ApprovalCheck approvalCheck;
  private final Approvers approvers;
  private final AuditLog auditLog;

  Approvals(
      LeasedWork work,
      BoardDefinitions definitions,
      Transitions transitions,
      Revisions revisions,
      Awards awards,
      ApprovalCheck approvalCheck,
      Approvers approvers,
      AuditLog auditLog) {
    this.work = work;
    this.definitions = definitions;
    this.transitions = transitions;
    this.revisions = revisions;
    this.awards = awards;
    this.approvalCheck = approvalCheck;
    this.approvers = approvers;
    this.auditLog = auditLog;
  }

  /**
   * Lets a closing that waits pay. It waits on, with new reasons, if it passes a bound that the
   * person was not shown: approve it again, expecting that. Where two people must approve, it waits
   * for the second; who decides on ties is neither.
   *
   * @return why it still waits; empty if it is approved
   * @throws WrongState if it does not wait, is not what the person expects, or passes a budget and
   *     the person does not say what is expected
   * @throws palmares.settlement.outcome.SamePersonRefused if two people must approve, and this one
   *     may not
   * @throws palmares.settlement.reward.TiesRefused if ties want a decision that is not given
   * @throws PeriodBusy if somebody else works on the period
   */
  public List<String> approve(PeriodId id, ApprovalDecision answer) {
    return work.run(
        id,
        (lease, period) -> {
          require(period, HELD);
          Revision waiting = revisions.find(id, Revision.FIRST).orElseThrow();
          requireExpected(period, waiting, answer.expect());
          requireNotRestarter(period, waiting, answer.by());
          Board board = definitions.of(period);
          decideTies(period, waiting, board, answer);
          List<String> budgets = approvalCheck.overBudget(period, Revision.FIRST, board);
          var more =
              new ArrayList<>(
                  answer.ties() == null
                      ? budgets
                      : approvalCheck.bounds(period, Revision.FIRST, board));
          more.removeAll(waiting.heldFor());
          if (!more.isEmpty()) {
            revisions.hold(
                id, Revision.FIRST, approvalCheck.reasons(period, Revision.FIRST, board), null);
            approvers.forget(waiting);
          } else if (decidesForOthers(waiting, answer)) {
            more.add("ties are decided; two other people must approve it");
          } else {
            requireNamed(period, waiting, budgets, answer);
            keep(period, "approve", answer);
            if (approvers.approve(waiting, answer.by(), answer.reason())) {
              decide(period, Verdict.APPROVED, answer);
              transitions.advance(lease, HELD, APPROVED);
            } else {
              more.add(answer.by() + " approved it; another person must approve it too");
            }
          }
          return more;
        });
  }

  private static boolean decidesForOthers(Revision waiting, ApprovalDecision answer) {
    return waiting.twoPerson() && answer.ties() != null;
  }

  /** Only who names what was shown approves what passes a budget. */
  private static void requireNamed(
      Period period, Revision waiting, List<String> budgets, ApprovalDecision answer) {
    if (answer.expect() == null && !budgets.isEmpty()) {
      throw new WrongState(
          "%s passes a budget: %s; to approve that, say --expect %s"
              .formatted(period.label(), String.join("; ", budgets), waiting.digest()));
    }
  }

  /**
   * Refuses a closing that waits: it stays unpaid until it is restarted.
   *
   * @throws WrongState if it does not wait
   * @throws PeriodBusy if somebody else works on the period
   */
  public void reject(PeriodId id, ApprovalDecision answer) {
    work.run(
        id,
        (lease, period) -> {
          require(period, HELD);
          keep(period, "reject", answer);
          decide(period, Verdict.REJECTED, answer);
          transitions.advance(lease, HELD, REJECTED);
          return period;
        });
  }

  /**
   * Takes a rejected closing back to sealed, to be filled again as things are now; of any other
   * that is under way, only the wish is kept.
   *
   * @throws WrongState if there is nothing to restart
   * @throws PeriodBusy if somebody else works on the period
   */
  public void restart(PeriodId id, ApprovalDecision answer) {
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
    transitions.advance(lease, REJECTED, SEALED);
  }

  private void decide(Period period, Verdict verdict, ApprovalDecision answer) {
    revisions.decide(period.id(), Revision.FIRST, verdict, answer.by(), answer.reason());
  }

  private void keep(Period period, String verb, ApprovalDecision answer) {
    auditLog.append(
        new AuditEntry(
            answer.by(),
            verb,
            period.board().value(),
            period.name().value(),
            Revision.FIRST,
            null,
            answer.reason()));
  }

  /** Awards anew as a person decides on ties, if the person does. */
  private void decideTies(Period period, Revision waiting, Board board, ApprovalDecision answer) {
    if (answer.ties() == null && waiting.ties() != null) {
      return;
    }
    awards.decide(period, Revision.FIRST, board, answer.ties());
    if (answer.ties() != null) {
      revisions.ties(period.id(), Revision.FIRST, answer.ties(), answer.by());
      if (waiting.twoPerson()) {
        approvers.forget(waiting);
        keep(period, "decide-ties", answer);
      }
    }
  }

  /** What was computed again has the number of what was before it. */
  private void requireExpected(Period period, Revision waiting, @Nullable String expect) {
    boolean restarted =
        auditLog.contains(period.board().value(), period.name().value(), "restart", null);
    if (expect == null ? restarted : !expect.equals(waiting.digest())) {
      throw new WrongState(
          "%s is not what it was: %s; look at it again, then say --expect %s"
              .formatted(
                  period.label(),
                  restarted ? "it was computed again" : String.join("; ", waiting.heldFor()),
                  waiting.digest()));
    }
  }

  private void requireNotRestarter(Period period, Revision waiting, String by) {
    if (waiting.twoPerson()
        && auditLog.contains(period.board().value(), period.name().value(), "restart", by)) {
      throw new SamePersonRefused(by + " restarted it");
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
    if (period.state() == HELD) {
      throw new WrongState("%s waits for a person: approve or reject it".formatted(period.label()));
    }
    if (period.state().isSettled()) {
      throw new WrongState(
          "%s is settled: amend it, if it came out wrong".formatted(period.label()));
    }
  }
}
