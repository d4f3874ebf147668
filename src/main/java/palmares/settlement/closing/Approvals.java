package palmares.settlement.closing;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.HELD;
import static palmares.period.PeriodState.REJECTED;
import static palmares.period.PeriodState.SEALED;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
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
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.HeldBefore;
import palmares.period.exclusion.ExclusionLists.Reranked;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outcome.ApprovalSentences;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.ApprovalCheck;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.BudgetCheck;
import palmares.settlement.reward.BudgetCheck.Shown;

/**
 * Decides on held closings, as persons ask. Each decision commits alone; the caller resumes the
 * closing afterwards.
 */
@Component
public class Approvals {
  private static final Logger LOG = LoggerFactory.getLogger(Approvals.class);

  private final LeasedWork work;
  private final BoardDefinitions definitions;
  private final Transitions transitions;
  private final Revisions revisions;
  private final Awards awards;
  private final ApprovalCheck approvalCheck;
  private final BudgetCheck budgetCheck;
  private final Approvers approvers;
  private final AuditLog auditLog;
  private final JdbcClient jdbc;
  private final DuePeriods duePeriods;
  private final AdoptedSeal adoptedSeal;
  private final Outbox outbox;
  private final ExclusionLists exclusions;

  /** What this process has compared of held outcomes, whose costs take long to add up. */
  private final Map<Integer, List<Reranked>> compared = new ConcurrentHashMap<>();

  Approvals(
      LeasedWork work,
      BoardDefinitions definitions,
      Transitions transitions,
      Revisions revisions,
      Awards awards,
      ApprovalCheck approvalCheck,
      BudgetCheck budgetCheck,
      Approvers approvers,
      AuditLog auditLog,
      JdbcClient jdbc,
      DuePeriods duePeriods,
      AdoptedSeal adoptedSeal,
      Outbox outbox,
      ExclusionLists exclusions) {
    this.work = work;
    this.definitions = definitions;
    this.transitions = transitions;
    this.revisions = revisions;
    this.awards = awards;
    this.approvalCheck = approvalCheck;
    this.budgetCheck = budgetCheck;
    this.approvers = approvers;
    this.auditLog = auditLog;
    this.jdbc = jdbc;
    this.duePeriods = duePeriods;
    this.adoptedSeal = adoptedSeal;
    this.outbox = outbox;
    this.exclusions = exclusions;
  }

  /**
   * Approves a held closing. It stays held, with new reasons, if it exceeds a bound that the person
   * was not shown; approval is then requested again. If two people must approve, it stays held for
   * the second. A person who decides on ties is neither of the two.
   *
   * @return why it is still held; empty if it is approved
   * @throws WrongState if it is not held, has changed since the person saw it, exceeds a budget and
   *     the decision has no expected digest, was ranked with other exclusions and the decision does
   *     not accept that, if a decision on ties is missing or superfluous, or if the board is paused
   * @throws palmares.platform.Refusal if the person may not approve from a shell, or if two people
   *     must approve, and this one may not
   * @throws PeriodBusy if another process works on the period
   */
  public List<Sentence> approve(PeriodId id, ApprovalDecision decision) {
    return work.run(
        id,
        (lease, period) -> {
          duePeriods.requireNotPaused(period); // Nothing would pay it before the board is resumed.
          require(period, HELD);
          Revision held = revisions.find(id, Revision.FIRST).orElseThrow();
          requireExpected(period, held, decision.expect());
          Board board = definitions.of(period);
          decideTies(period, held, board, decision);
          List<HoldReason> budgets = budgetCheck.overBudget(period, Revision.FIRST, board);
          var shown = new Shown(held.heldFor(), decision.together());
          var more =
              new ArrayList<Sentence>(
                  decision.ties() == null
                      ? budgetCheck.overBudgetBeyond(shown, period, Revision.FIRST, board)
                      : approvalCheck.boundsBeyond(shown, period, Revision.FIRST, board));
          // After the lock of budgets, as in a posting: in another order, each waits for the other.
          List<Reranked> reranked = approvalCheck.lockedReranked(period);
          ApprovalCheck.changedExclusions(reranked).stream()
              .filter(why -> !held.heldFor().contains(why))
              .forEach(more::add);
          if (!more.isEmpty()) {
            holdWithoutRelease(lease, period, held, board);
          } else if (decidesForOthers(held, decision)) {
            more.add(new ApprovalSentences.TiesDecided());
          } else {
            requireDigest(period, held, budgets, decision);
            accept(period, held, reranked, decision);
            appendApproval(period, held, board, decision);
            if (approvers.approve(held, decision.by(), decision.reason())) {
              decide(period, Verdict.APPROVED, decision);
              transitions.advance(lease, HELD, APPROVED);
            } else {
              more.add(new ApprovalSentences.AnotherPerson(decision.by()));
            }
          }
          return more;
        });
  }

  private static boolean decidesForOthers(Revision held, ApprovalDecision decision) {
    return held.twoPerson() && decision.ties() != null;
  }

  /** If a budget is exceeded, the person must give the digest of what was shown. */
  private static void requireDigest(
      Period period, Revision held, List<HoldReason> budgets, ApprovalDecision decision) {
    if (decision.expect() == null && !budgets.isEmpty()) {
      throw new WrongState(new ClosingSentences.OverBudget(period.label(), budgets))
          .then(shown("approve", period, held));
    }
  }

  /** The person must accept exclusions that the outcome was not ranked with, or restart it. */
  private void accept(
      Period period, Revision held, List<Reranked> reranked, ApprovalDecision decision) {
    if (!reranked.isEmpty() && (!decision.acceptsExclusions() || decision.expect() == null)) {
      throw new WrongState(
              new ClosingSentences.Reranked(
                  period.label(), ApprovalCheck.changedExclusions(reranked)))
          .then(
              shown("reject", period, held),
              shown("approve", period, held).with("acceptExclusions", true));
    }
    for (Reranked one : reranked) {
      auditLog.append(
          new AuditEntry(
                  decision.by(),
                  "accept-exclusion",
                  period.board().value(),
                  period.name().value(),
                  Revision.FIRST,
                  one.member(),
                  decision.reason())
              .with("before", word(one.frozen()))
              .with("level", word(one.present())));
    }
  }

  private static @Nullable String word(@Nullable ExclusionLevel level) {
    return level == null ? null : level.word();
  }

  /**
   * Brings the reasons of held closings up to date with exclusions that were made or lifted after
   * their ranking. One that another process works on is left to the next call. This is only shown:
   * an approval and a release compare the exclusions themselves.
   */
  public void updateExclusionReasons() {
    List<HeldBefore> held = exclusions.heldBeforeChanges();
    compared.keySet().retainAll(held.stream().map(HeldBefore::outcome).toList());
    for (HeldBefore closing : held) {
      List<Reranked> present = exclusions.rerankedSince(closing.period(), closing.outcome());
      if (!present.equals(compared.get(closing.outcome()))) {
        try {
          work.run(closing.period(), this::updateReasons);
          compared.put(closing.outcome(), present);
        } catch (PeriodBusy busy) {
          LOG.debug("reasons are compared later: {}", busy.getMessage());
        } catch (DataAccessException outage) {
          throw outage;
        } catch (RuntimeException e) {
          LOG.error("reasons cannot be compared of the held period {}", closing.period(), e);
        }
      }
    }
  }

  private Period updateReasons(Lease lease, Period period) {
    if (period.state() == HELD) {
      Revision held = revisions.find(period.id(), Revision.FIRST).orElseThrow();
      Board board = definitions.of(period);
      List<HoldReason> reasons = approvalCheck.reasons(period, Revision.FIRST, board);
      if (!reasons.equals(held.heldFor())) {
        Instant release = approvalCheck.release(period, Revision.FIRST, board);
        revisions.hold(period.id(), Revision.FIRST, reasons, release);
        approvers.forget(held);
        outbox.held(period, lease, reasons, release);
      }
    }
    return period;
  }

  /**
   * Rejects a held closing; it stays unpaid until it is restarted.
   *
   * @throws WrongState if it is not held, or has changed since the person saw it
   * @throws PeriodBusy if another process works on the period
   */
  public void reject(PeriodId id, ApprovalDecision decision) {
    work.run(
        id,
        (lease, period) -> {
          require(period, HELD);
          Revision held = revisions.find(id, Revision.FIRST).orElseThrow();
          String expect = decision.expect();
          if (Revision.NOTHING_SHOWN.equals(expect)) {
            throw nothingShown(period, held, Verdict.REJECTED);
          }
          if (expect != null && !expect.equals(held.digest())) {
            throw changed(period, held, expect, "reject");
          }
          auditLog.append(entry(period, "reject", decision).with("digest", held.digest()));
          decide(period, Verdict.REJECTED, decision);
          transitions.advance(lease, HELD, REJECTED);
          return period;
        });
  }

  /**
   * Keeps a closing from paying, and from being released automatically, until a person approves it.
   * The closing goes on as far as that.
   *
   * @throws WrongState if it is approved, paid or rejected, or held by a person already
   * @throws PeriodBusy if another process works on the period
   */
  public void hold(PeriodId id, String by, String reason) {
    work.run(
        id,
        (lease, period) -> {
          boolean unapproved =
              switch (period.state()) {
                case OPEN, SEALED, FILLED, HELD -> true;
                case REJECTED, APPROVED, SETTLED, EXPIRED -> false;
              };
          if (!unapproved) {
            throw new WrongState(new ClosingSentences.NotHoldable(period.label(), period.state()));
          }
          Instant at = appendAuditEntry(period, "hold", new ApprovalDecision(by, reason, null));
          if (!addHold(id, by, at, reason)) {
            throw new WrongState(new ClosingSentences.HeldTwice(period.label()));
          }
          if (period.state() == HELD) {
            Revision held = revisions.find(id, Revision.FIRST).orElseThrow();
            holdWithoutRelease(lease, period, held, definitions.of(period));
          }
          return period;
        });
  }

  /** Holds it with the present reasons, which nobody has approved. */
  private void holdWithoutRelease(Lease lease, Period period, Revision held, Board board) {
    List<HoldReason> reasons = approvalCheck.reasons(period, Revision.FIRST, board);
    revisions.hold(period.id(), Revision.FIRST, reasons, null);
    approvers.forget(held);
    if (held.releaseAt() != null) { // The fact that has this time must not be the last one.
      outbox.held(period, lease, reasons, null);
    }
  }

  /**
   * Lifts a person's hold of a closing that is not held yet.
   *
   * @throws WrongState if it is held already, or nobody holds it
   * @throws PeriodBusy if another process works on the period
   */
  public void liftHold(PeriodId id, String by, String reason) {
    work.run(
        id,
        (lease, period) -> {
          if (period.state() == HELD) {
            throw awaitsApproval(period);
          }
          Optional<Instant> since = period.state().isSettled() ? Optional.empty() : removeHold(id);
          if (since.isEmpty()) {
            throw new WrongState(new ClosingSentences.NotHeldByPerson(period.label()));
          }
          auditLog.append(
              entry(period, "lift-hold", new ApprovalDecision(by, reason, null))
                  .with("from", since.get()));
          return period;
        });
  }

  /**
   * Takes a rejected closing back to sealed, so that its outcome is computed again. For any other
   * closing that is not settled, only the audit entry is written.
   *
   * @throws WrongState if there is nothing to restart, the board is paused, or an import fills the
   *     period
   * @throws PeriodBusy if another process works on the period
   */
  public void restart(PeriodId id, ApprovalDecision decision) {
    work.run(
        id,
        (lease, period) -> {
          duePeriods.requireClosable(period);
          requireRestartable(period);
          if (period.state() == REJECTED) {
            takeBack(lease, period);
          }
          appendAuditEntry(period, "restart", decision);
          return period;
        });
  }

  /** Returns false if a person holds the period already. */
  private boolean addHold(PeriodId period, String by, Instant at, String reason) {
    return jdbc.sql(
                """
                insert into person_hold (period_id, made_by, made_at, reason)
                values (:period, :by, :at, :reason)
                on conflict do nothing
                """)
            .param("period", period)
            .param("by", by)
            .param("at", at)
            .param("reason", reason)
            .update()
        == 1;
  }

  /** Returns since when a person has held the period; empty if none does. */
  private Optional<Instant> removeHold(PeriodId period) {
    return jdbc.sql("delete from person_hold where period_id = :period returning made_at")
        .param("period", period)
        .query(Instant.class)
        .optional();
  }

  private void takeBack(Lease lease, Period period) {
    adoptedSeal.requireKept(period);
    revisions.forget(period.id(), Revision.FIRST);
    transitions.advance(lease, REJECTED, SEALED);
    if (approvalCheck.lacksKeys(period, definitions.of(period))) {
      adoptedSeal.sealFound(period).ifPresent(found -> transitions.reseal(lease, found));
    }
  }

  private void decide(Period period, Verdict verdict, ApprovalDecision decision) {
    revisions.decide(period.id(), Revision.FIRST, verdict, decision.by(), decision.reason());
  }

  private Instant appendAuditEntry(Period period, String verb, ApprovalDecision decision) {
    return auditLog.append(entry(period, verb, decision));
  }

  private void appendApproval(
      Period period, Revision held, Board board, ApprovalDecision decision) {
    auditLog.append(
        entry(period, "approve", decision).with(budgetCheck.approved(period, held, board)));
  }

  private static AuditEntry entry(Period period, String verb, ApprovalDecision decision) {
    return new AuditEntry(
            decision.by(),
            verb,
            period.board().value(),
            period.name().value(),
            Revision.FIRST,
            null,
            decision.reason())
        .with("ties", decision.ties() == null ? null : decision.ties().word());
  }

  /** If the person decides on ties, computes the awards again. */
  private void decideTies(Period period, Revision held, Board board, ApprovalDecision decision) {
    if (decision.ties() == null && held.ties() != null) {
      return;
    }
    awards.decide(period, Revision.FIRST, board, decision.ties());
    if (decision.ties() != null) {
      revisions.decideTies(period.id(), Revision.FIRST, decision.ties(), decision.by());
      if (held.twoPerson()) {
        approvers.forget(held);
        auditLog.append(entry(period, "decide-ties", decision).with("digest", held.digest()));
      }
    }
  }

  /** A restarted outcome keeps its number, so only the digest differs. */
  private void requireExpected(Period period, Revision held, @Nullable String expect) {
    if (Revision.NOTHING_SHOWN.equals(expect)) {
      throw nothingShown(period, held, Verdict.APPROVED);
    }
    if (expect == null ? wasRestarted(period) : !expect.equals(held.digest())) {
      throw changed(period, held, expect, "approve");
    }
  }

  private static WrongState nothingShown(Period period, Revision held, Verdict verdict) {
    return new WrongState(new ClosingSentences.NothingShown(period.label(), verdict))
        .then(
            preview(period),
            shown(verdict == Verdict.APPROVED ? "approve" : "reject", period, held));
  }

  private WrongState changed(Period period, Revision held, @Nullable String expect, String verb) {
    Sentence why =
        wasRestarted(period)
            ? new ClosingSentences.ComputedAgain()
            : new ClosingSentences.HeldFor(held.heldFor());
    return new WrongState(
            expect == null
                ? new ClosingSentences.ChangedUnseen(period.label(), held.digest(), why)
                : new ClosingSentences.Changed(period.label(), expect, held.digest(), why))
        .then(preview(period), shown(verb, period, held));
  }

  private static Next preview(Period period) {
    return Next.of("preview", period.board(), period.name());
  }

  /** A decision on the outcome as it is. */
  private static Next shown(String verb, Period period, Revision held) {
    return Next.of(verb, period.board(), period.name()).with("expect", held.digest());
  }

  private boolean wasRestarted(Period period) {
    return auditLog.contains(period.board().value(), period.name().value(), "restart");
  }

  private void require(Period period, PeriodState state) {
    if (period.state() != state) {
      throw new WrongState(new ClosingSentences.NotHeld(period.label(), decisionOf(period)));
    }
  }

  private Sentence decisionOf(Period period) {
    return revisions
        .find(period.id(), Revision.FIRST)
        .map(Revision::decision)
        .<Sentence>map(
            made ->
                new ClosingSentences.Decided(
                    made.verdict(), made.by(), made.at().atZone(definitions.of(period).zone())))
        .orElseGet(() -> new ClosingSentences.InState(period.state()));
  }

  private static WrongState awaitsApproval(Period period) {
    return new WrongState(new ClosingSentences.AwaitsApproval(period.label()))
        .then(preview(period));
  }

  private static void requireRestartable(Period period) {
    if (period.state() == HELD) {
      throw awaitsApproval(period);
    }
    if (period.state().isSettled()) {
      throw new WrongState(new ClosingSentences.AlreadySettled(period.label()))
          .then(Next.of("amend", period.board(), period.name()));
    }
  }

  /**
   * A person's decision on a held closing.
   *
   * @param by the person's name
   * @param reason the reason in the person's words
   * @param ties how ties that the rules leave to a person are paid; null if there are none
   * @param expect the {@link palmares.settlement.outcome.Revision#digest} of the outcome that the
   *     person has seen; null if the person gave none
   * @param together as in {@link Shown}
   * @param acceptsExclusions whether the person pays it as it was ranked, although exclusions that
   *     the person was shown have been made or lifted since
   */
  public record ApprovalDecision(
      String by,
      String reason,
      @Nullable Ties ties,
      @Nullable String expect,
      Set<Integer> together,
      boolean acceptsExclusions) {
    public ApprovalDecision {
      together = Set.copyOf(together);
    }

    /** A decision on one outcome alone. */
    public ApprovalDecision(
        String by, String reason, @Nullable Ties ties, @Nullable String expect) {
      this(by, reason, ties, expect, Set.of(), false);
    }

    /** A decision without an expected digest. */
    public ApprovalDecision(String by, String reason, @Nullable Ties ties) {
      this(by, reason, ties, null);
    }
  }
}
