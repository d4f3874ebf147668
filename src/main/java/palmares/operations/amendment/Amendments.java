package palmares.operations.amendment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.rules.board.Board;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.TiesRefused;

/** Prepares amendments of settled periods, and does with them what persons decide. */
@Component
public class Amendments {
  /** How many changes are named with an amendment. */
  private static final int NAMED = 1_000;

  private final LeasedWork work;
  private final Revisions revisions;
  private final DryRun dryRun;
  private final AmendmentPosting posting;
  private final Approvers approvers;
  private final AuditLog auditLog;

  Amendments(
      LeasedWork work,
      Revisions revisions,
      DryRun dryRun,
      AmendmentPosting posting,
      Approvers approvers,
      AuditLog auditLog) {
    this.work = work;
    this.revisions = revisions;
    this.dryRun = dryRun;
    this.posting = posting;
    this.approvers = approvers;
    this.auditLog = auditLog;
  }

  /**
   * Computes the next revision of a settled period beside the one that stands. It waits until a
   * person approves or rejects it; nothing is paid by it before.
   *
   * @return empty if nothing would change, and then nothing is kept
   * @throws AmendmentRefused if the period is not settled, or an amendment of it waits already
   * @throws PeriodBusy if somebody else works on the period
   */
  public Optional<Amendment> prepare(PeriodId id, AmendmentRequest amendmentRequest) {
    return work.run(
        id,
        (lease, period) -> {
          requireSettled(period);
          waiting(period)
              .ifPresent(
                  revision -> {
                    throw new AmendmentRefused(
                        "revision %d of %s waits already: approve or reject it first"
                            .formatted(revision.number(), period.label()));
                  });
          Amendment amendment = dryRun.next(period, amendmentRequest, NAMED);
          requireDecided(amendment, amendmentRequest);
          int number = amendment.revision().number();
          if (amendment.differences().none()) {
            revisions.forget(id, number);
            return Optional.<Amendment>empty();
          }
          keep(period, number, "amend", amendmentRequest.by(), amendmentRequest.reason());
          return Optional.of(amendment);
        });
  }

  /** The period's amendment that waits, if there is one. */
  public Optional<Revision> waiting(Period period) {
    return revisions.of(period.id()).stream()
        .filter(revision -> revision.base() != null && revision.awaitsDecision())
        .findFirst();
  }

  /**
   * What came of an approval.
   *
   * @param transfers how many were posted; null if the amendment was not
   * @param waits why it still waits; empty if it is posted
   */
  public record Approved(@Nullable Long transfers, List<String> waits) {
    public Approved {
      waits = List.copyOf(waits);
    }
  }

  /** As the other, of what passes no budget. */
  public Approved approve(PeriodId id, @Nullable Integer number, String by, String reason) {
    return approve(id, number, null, by, reason);
  }

  /**
   * Posts what the amendment that waits changes, and from then on it is what stands. It waits on if
   * it passes a budget that the person was not shown, or a second person must approve it.
   *
   * @param number which revision the person looked at; null for whichever waits
   * @param expect the digest of what the person looked at; null if the person did not say
   * @throws AmendmentRefused if it does not wait, is not what the person expects, or passes a
   *     budget and the person does not say what is expected
   * @throws palmares.settlement.outcome.SamePersonRefused if two people must approve it, and this
   *     one may not
   * @throws PeriodBusy if somebody else works on the period
   */
  public Approved approve(
      PeriodId id, @Nullable Integer number, @Nullable String expect, String by, String reason) {
    return work.run(
        id,
        (lease, period) -> {
          Revision waiting = require(period, number);
          Board rules = dryRun.rules(period, waiting);
          List<String> budgets = dryRun.overBudget(period, waiting);
          var more = new ArrayList<>(budgets);
          more.removeAll(waiting.heldFor());
          if (!more.isEmpty()) {
            revisions.hold(id, waiting.number(), budgets, null);
            approvers.forget(waiting);
            return new Approved(null, more);
          }
          requireExpected(period, waiting, budgets, expect);
          keep(period, waiting.number(), "approve", by, reason);
          if (!approvers.approve(waiting, by, reason)) {
            return new Approved(
                null, List.of(by + " approved it; another person must approve it too"));
          }
          revisions.decide(id, waiting.number(), Verdict.APPROVED, by, reason);
          return new Approved(posting.post(lease, period, waiting, rules), List.of());
        });
  }

  private static void requireExpected(
      Period period, Revision waiting, List<String> budgets, @Nullable String expect) {
    boolean asExpected = expect == null ? budgets.isEmpty() : expect.equals(waiting.digest());
    if (!asExpected) {
      throw new AmendmentRefused(
          "revision %d of %s %s; to approve that, say --expect %s"
              .formatted(
                  waiting.number(),
                  period.label(),
                  budgets.isEmpty()
                      ? "is not what it was"
                      : "passes a budget: " + String.join("; ", budgets),
                  waiting.digest()));
    }
  }

  /**
   * Refuses the amendment that waits: it stays readable, and is never posted.
   *
   * @param number which revision the person looked at; null for whichever waits
   * @throws AmendmentRefused if it does not wait
   * @throws PeriodBusy if somebody else works on the period
   */
  public void reject(PeriodId id, @Nullable Integer number, String by, String reason) {
    work.run(
        id,
        (lease, period) -> {
          Revision waiting = require(period, number);
          revisions.decide(id, waiting.number(), Verdict.REJECTED, by, reason);
          keep(period, waiting.number(), "reject", by, reason);
          return waiting;
        });
  }

  private static void requireDecided(Amendment amendment, AmendmentRequest amendmentRequest) {
    boolean open = !amendment.ties().isEmpty();
    if (open ? amendment.decided() == null : amendmentRequest.ties() != null) {
      throw new TiesRefused(amendment.period(), amendmentRequest.ties());
    }
  }

  private static void requireSettled(Period period) {
    if (!period.state().isSettled()) {
      throw new AmendmentRefused(
          "%s cannot be amended: it is %s, and only what is settled can come out wrong"
              .formatted(period.label(), period.state().word()));
    }
  }

  private Revision require(Period period, @Nullable Integer number) {
    requireSettled(period);
    Optional<Revision> asked =
        number == null ? waiting(period) : revisions.find(period.id(), number);
    Revision revision =
        asked.orElseThrow(
            () ->
                new AmendmentRefused(
                    number == null
                        ? "nothing of %s waits for approval: revision %d stands, %s"
                            .formatted(period.label(), period.revision(), told(period))
                        : "%s has no revision %d".formatted(period.label(), number)));
    if (revision.base() == null || !revision.awaitsDecision()) {
      throw new AmendmentRefused(
          "revision %d of %s does not wait: %s"
              .formatted(revision.number(), period.label(), told(revision)));
    }
    return revision;
  }

  private String told(Period period) {
    return told(revisions.find(period.id(), period.revision()).orElseThrow());
  }

  private static String told(Revision revision) {
    var decision = revision.decision();
    return decision == null
        ? "it is being computed"
        : "it was %s by %s at %s"
            .formatted(decision.verdict().word(), decision.by(), decision.at());
  }

  private void keep(Period period, int revision, String verb, String by, String reason) {
    auditLog.keep(
        new AuditEntry(
            by, verb, period.board().value(), period.name().value(), revision, null, reason));
  }
}
