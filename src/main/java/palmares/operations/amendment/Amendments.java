package palmares.operations.amendment;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Lease;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.ExclusionLists;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.settlement.outcome.ApprovalSentences;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.BudgetCheck.Shown;

/** Prepares amendments of settled periods, and posts or rejects them as people decide. */
@Component
public class Amendments {
  private static final int MAX_NAMED_DIFFERENCES = 1_000;
  private static final int MAX_NAMED_MEMBERS = 3;

  private final LeasedWork work;
  private final Revisions revisions;
  private final AmendmentComputation computation;
  private final AmendmentPosting posting;
  private final Approvers approvers;
  private final AuditLog auditLog;
  private final ExclusionLists exclusions;

  Amendments(
      LeasedWork work,
      Revisions revisions,
      AmendmentComputation computation,
      AmendmentPosting posting,
      Approvers approvers,
      AuditLog auditLog,
      ExclusionLists exclusions) {
    this.work = work;
    this.revisions = revisions;
    this.computation = computation;
    this.posting = posting;
    this.approvers = approvers;
    this.auditLog = auditLog;
    this.exclusions = exclusions;
  }

  /**
   * Computes and stores the next revision of a settled period. Nothing is paid until a person
   * approves it.
   *
   * @return empty if nothing would change; then nothing is stored
   * @throws WrongState if the period is not settled, or has an undecided amendment
   * @throws PeriodBusy if somebody else works on the period
   */
  public Optional<Amendment> prepare(PeriodId id, AmendmentRequest request) {
    return prepare(id, request, prepared -> {});
  }

  /**
   * As {@link #prepare(PeriodId, AmendmentRequest)}, and records the result elsewhere.
   *
   * @param record runs in the transaction of the amendment; if it throws, nothing is stored
   */
  public Optional<Amendment> prepare(
      PeriodId id, AmendmentRequest request, Consumer<Optional<Amendment>> record) {
    return work.run(
        id,
        (lease, period) -> {
          requireSettled(period);
          undecided(period)
              .ifPresent(
                  revision -> {
                    throw new WrongState(
                            new AmendmentSentences.Undecided(revision.number(), period.label()))
                        .then(
                            decide("approve", period, revision),
                            decide("reject", period, revision));
                  });
          Amendment amendment = computation.next(period, request, MAX_NAMED_DIFFERENCES);
          requireTiesDecided(amendment, request);
          int number = amendment.revision().number();
          Optional<Amendment> prepared =
              Optional.of(amendment).filter(made -> !made.differences().none());
          if (prepared.isEmpty()) {
            revisions.forget(id, number);
          } else {
            auditLog.append(
                entry(period, amendment.revision(), "amend", request.by(), request.reason())
                    .with("rules", request.rules() == null ? null : request.rules().source().hash())
                    .with("corrected", request.points().size())
                    .with("ties", request.ties() == null ? null : request.ties().word()));
          }
          record.accept(prepared);
          return prepared;
        });
  }

  /** The period's undecided amendment, if it has one. */
  public Optional<Revision> undecided(Period period) {
    return revisions.of(period.id()).stream()
        .filter(revision -> revision.base() != null && revision.awaitsDecision())
        .findFirst();
  }

  /**
   * The result of an approval.
   *
   * @param transfers the number of transfers posted; null if the amendment is not posted yet
   * @param heldFor why it is not posted yet; empty if it is
   */
  public record Approved(@Nullable Long transfers, List<Sentence> heldFor) {
    public Approved {
      heldFor = List.copyOf(heldFor);
    }
  }

  /** Approves an amendment that exceeds no budget. */
  public Approved approve(PeriodId id, @Nullable Integer number, String by, String reason) {
    return approve(id, number, null, by, reason);
  }

  /**
   * Approves the undecided amendment and posts its differences, which makes it the current
   * revision. It is not posted yet if it exceeds a budget that the person was not shown, or if a
   * second person must approve it.
   *
   * @param number the revision that the person approves; null for the undecided one
   * @param expect the digest that the person was shown; null if not given
   * @throws WrongState if the amendment is decided already or has another digest, if an exclusion
   *     was lifted or made since of which nobody hears otherwise, or if it exceeds a budget and no
   *     digest is given
   * @throws palmares.platform.Refusal if two people must approve it, and this person may not
   * @throws PeriodBusy if somebody else works on the period
   */
  public Approved approve(
      PeriodId id, @Nullable Integer number, @Nullable String expect, String by, String reason) {
    return approve(id, new Decision(number, expect, by, reason), approved -> {});
  }

  /**
   * A person's decision on an amendment.
   *
   * @param number the revision that the person decides on; null for the undecided one
   * @param expect the digest that the person was shown; null if not given
   * @param together as in {@link Shown}
   */
  public record Decision(
      @Nullable Integer number,
      @Nullable String expect,
      String by,
      String reason,
      Set<Integer> together) {
    public Decision {
      together = Set.copyOf(together);
    }

    /** A decision on one amendment alone. */
    public Decision(@Nullable Integer number, @Nullable String expect, String by, String reason) {
      this(number, expect, by, reason, Set.of());
    }
  }

  /**
   * As {@link #approve(PeriodId, Integer, String, String, String)}, and records the result
   * elsewhere.
   *
   * @param record runs in the transaction of the posting; if it throws, nothing is posted
   */
  public Approved approve(PeriodId id, Decision decision, Consumer<Approved> record) {
    return work.run(
        id,
        (lease, period) -> {
          Approved approved = approve(lease, period, decision);
          record.accept(approved);
          return approved;
        });
  }

  private Approved approve(Lease lease, Period period, Decision decision) {
    Revision undecided = requireUndecided(period, decision.number());
    requireSameExclusions(period, undecided);
    List<HoldReason> budgets = computation.overBudget(period, undecided);
    var shown = new Shown(undecided.heldFor(), decision.together());
    List<HoldReason> notShown = computation.overBudgetBeyond(shown, period, undecided);
    if (!notShown.isEmpty()) {
      revisions.hold(period.id(), undecided.number(), budgets, null);
      approvers.forget(undecided);
      return new Approved(null, List.copyOf(notShown));
    }
    requireExpected(period, undecided, budgets, decision.expect());
    String by = decision.by();
    auditLog.append(
        entry(period, undecided, "approve", by, decision.reason())
            .with(computation.approved(period, undecided)));
    if (!approvers.approve(undecided, by, decision.reason())) {
      return new Approved(null, List.of(new ApprovalSentences.AnotherPerson(by)));
    }
    revisions.decide(period.id(), undecided.number(), Verdict.APPROVED, by, decision.reason());
    long payments = posting.post(lease, period, undecided, computation.rules(period, undecided));
    // The posting of a big period takes minutes, in which somebody may exclude or lift.
    exclusions.blockChanges();
    requireSameExclusions(period, undecided);
    return new Approved(payments, List.of());
  }

  private void requireSameExclusions(Period period, Revision undecided) {
    requireNoneLifted(period, undecided);
    requireNoneMade(period, undecided);
  }

  /** Who lifts an exclusion hears which revisions in force have it, and not which prepared ones. */
  private void requireNoneLifted(Period period, Revision undecided) {
    List<String> lifted =
        exclusions.liftedSince(
            period.id(), undecided.number(), Objects.requireNonNull(undecided.base()));
    if (!lifted.isEmpty()) {
      throw new WrongState(
              new AmendmentSentences.LiftedSince(
                  undecided.number(),
                  period.label(),
                  ListSentences.first(lifted, MAX_NAMED_MEMBERS)))
          .then(decide("reject", period, undecided));
    }
  }

  /** Who makes an exclusion hears which revisions in force have a line of the member. */
  private void requireNoneMade(Period period, Revision undecided) {
    exclusions
        .madeSince(period.id(), undecided.number(), Objects.requireNonNull(undecided.base()))
        .stream()
        .findFirst()
        .ifPresent(
            member -> {
              throw new WrongState(
                      new AmendmentSentences.ExcludedSince(
                          undecided.number(), period.label(), member.value()))
                  .then(decide("reject", period, undecided));
            });
  }

  private static void requireExpected(
      Period period, Revision undecided, List<HoldReason> budgets, @Nullable String expect) {
    boolean namesNone = expect == null || Revision.NOTHING_SHOWN.equals(expect);
    if (budgets.isEmpty() || !namesNone) {
      requireUnchanged(period, undecided, Verdict.APPROVED, expect);
    } else {
      throw new WrongState(
              new AmendmentSentences.OverBudget(undecided.number(), period.label(), budgets))
          .then(seen("approve", period, undecided));
    }
  }

  /** Refuses a decision on what the person was not shown, unless something else names that. */
  private static void requireUnchanged(
      Period period, Revision undecided, Verdict verdict, @Nullable String expect) {
    if (expect == null || expect.equals(undecided.digest())) {
      return;
    }
    Sentence said =
        Revision.NOTHING_SHOWN.equals(expect)
            ? new AmendmentSentences.NotSeen(period.label(), verdict)
            : new AmendmentSentences.ChangedSince(
                undecided.number(), period.label(), expect, undecided.digest());
    throw new WrongState(said)
        .then(
            decide("report", period, undecided),
            seen(verdict == Verdict.APPROVED ? "approve" : "reject", period, undecided));
  }

  private static Next decide(String verb, Period period, Revision revision) {
    return Next.of(verb, period.board(), period.name()).with("revision", revision.number());
  }

  /** A decision on an outcome as it is now. */
  private static Next seen(String verb, Period period, Revision revision) {
    return decide(verb, period, revision).with("expect", revision.digest());
  }

  /**
   * Rejects the undecided amendment. It stays readable, and is never posted.
   *
   * @param record runs in the same transaction; if it throws, nothing is rejected
   * @throws WrongState if the amendment is decided already, or has changed since the person saw it
   * @throws PeriodBusy if somebody else works on the period
   */
  public void reject(PeriodId id, Decision decision, Runnable record) {
    work.run(
        id,
        (lease, period) -> {
          Revision undecided = requireUndecided(period, decision.number());
          requireUnchanged(period, undecided, Verdict.REJECTED, decision.expect());
          String by = decision.by();
          revisions.decide(id, undecided.number(), Verdict.REJECTED, by, decision.reason());
          auditLog.append(entry(period, undecided, "reject", by, decision.reason()));
          record.run();
          return undecided;
        });
  }

  private static void requireTiesDecided(Amendment amendment, AmendmentRequest request) {
    boolean asked = !amendment.ties().isEmpty();
    if (asked ? amendment.decided() == null : request.ties() != null) {
      throw Awards.undecided(amendment.period(), request.ties());
    }
  }

  private static void requireSettled(Period period) {
    if (!period.state().isSettled()) {
      throw new WrongState(new AmendmentSentences.NotSettled(period.label(), period.state()));
    }
  }

  private Revision requireUndecided(Period period, @Nullable Integer number) {
    requireSettled(period);
    Optional<Revision> found =
        number == null ? undecided(period) : revisions.find(period.id(), number);
    Revision revision =
        found.orElseThrow(
            () ->
                new WrongState(
                    number == null
                        ? new AmendmentSentences.NoneUndecided(
                            period.label(), period.revision(), decision(period))
                        : new AmendmentSentences.NoRevision(period.label(), number)));
    if (revision.base() == null || !revision.awaitsDecision()) {
      throw new WrongState(
          new AmendmentSentences.NotOpen(
              revision.number(), period.label(), decision(period, revision)));
    }
    return revision;
  }

  private Sentence decision(Period period) {
    return decision(period, revisions.find(period.id(), period.revision()).orElseThrow());
  }

  private Sentence decision(Period period, Revision revision) {
    var decision = revision.decision();
    return decision == null
        ? new AmendmentSentences.BeingComputed()
        : new AmendmentSentences.Decided(
            decision.verdict(), decision.by(), decision.at().atZone(computation.zone(period)));
  }

  private static AuditEntry entry(
      Period period, Revision revision, String verb, String by, String reason) {
    return new AuditEntry(
            by,
            verb,
            period.board().value(),
            period.name().value(),
            revision.number(),
            null,
            reason)
        .with("digest", revision.digest());
  }
}
