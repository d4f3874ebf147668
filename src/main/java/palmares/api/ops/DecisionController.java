package palmares.api.ops;

import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.roles.Caller;
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.Amendments.Decision;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Decides on what periods pay: holds, approves and rejects closings and amendments. */
@RestController
class DecisionController implements DecisionResource {
  private final Tasks tasks;
  private final PeriodFinder finder;
  private final PeriodClosings closings;
  private final Approvals approvals;
  private final Amendments amendments;
  private final Revisions revisions;
  private final Approvers approvers;
  private final PayoutPreviews previews;

  DecisionController(
      Tasks tasks,
      PeriodFinder finder,
      PeriodClosings closings,
      Approvals approvals,
      Amendments amendments,
      Revisions revisions,
      Approvers approvers,
      PayoutPreviews previews) {
    this.tasks = tasks;
    this.finder = finder;
    this.closings = closings;
    this.approvals = approvals;
    this.amendments = amendments;
    this.revisions = revisions;
    this.approvers = approvers;
    this.previews = previews;
  }

  @Override
  public Task hold(String board, String period, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    return tasks.now(
        call.compared(),
        new VerbRequest("hold", found, reason, body),
        by -> {
          finder.unchanged(found, call).run();
          approvals.hold(found.id(), by, reason);
          return Result.done(new ClosingSentences.HeldByPerson(found.label()));
        });
  }

  @Override
  public Task liftHold(String board, String period, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    return tasks.now(
        call.compared(),
        new VerbRequest("lift-hold", found, reason, body),
        by -> {
          finder.unchanged(found, call).run();
          approvals.liftHold(found.id(), by, reason);
          return Result.done(
              found.state() == PeriodState.REJECTED
                  ? new ClosingSentences.HoldOfRejectedLifted(found.label())
                  : new ClosingSentences.HoldLifted(found.label()));
        });
  }

  @Override
  public Task approve(String board, String period, Approval body, Call call) {
    String reason = Lookup.reason(body.reason());
    Ties ties = AmendmentController.ties(body.ties());
    Period found = finder.find(board, period);
    VerbRequest order = new VerbRequest("approve", found, reason, body);
    int revision = body.revision() == null ? 0 : body.revision();
    String expect = expected(body.expect(), call);
    Optional<Result> before = approvedBefore(found, body.revision(), ties, expect);
    if (before.isPresent()) {
      return tasks.answered(call.compared(), order, before.get());
    }
    if (found.state().isSettled() && revision != Revision.FIRST) {
      if (ties != null) {
        throw Lookup.invalid("ties", new ClosingSentences.TiesOfAmendment());
      }
      if (body.acceptExclusions()) {
        throw Lookup.invalid("acceptExclusions", new ClosingSentences.ExclusionsOfAmendment());
      }
      return tasks.now(
          call.compared(),
          order,
          by -> {
            finder.unchanged(found, call).run();
            return approveAmendment(
                found, new Decision(body.revision(), expect, by, reason), call.dryRun());
          });
    }
    requireFirst(found, body.revision());
    Function<String, ApprovalDecision> decision =
        by -> new ApprovalDecision(by, reason, ties, expect, Set.of(), body.acceptExclusions());
    return tasks.later(
        call.compared(),
        order,
        by -> approveClosing(found, decision.apply(by), call),
        by -> {
          Optional<Revision> held = revisions.find(found.id(), Revision.FIRST);
          Result decided = approveClosing(found, decision.apply(by), call);
          return decided.state() == Task.State.DONE
              ? previews.paying(found, decided, held.orElseThrow())
              : decided;
        },
        (by, progress) -> {
          Result decided = approveClosing(found, decision.apply(by), call);
          return decided.state() == Task.State.DONE ? closings.pay(found, by, progress) : decided;
        });
  }

  /**
   * What the same approval of the same outcome has done before: the answer to it may have been
   * lost. Empty if the verb must act: it also goes on with what is approved and not paid.
   */
  private Optional<Result> approvedBefore(
      Period period, @Nullable Integer number, @Nullable Ties ties, @Nullable String expect) {
    String by = Caller.get().name();
    return shownAs(period, number, expect)
        .filter(revision -> ties == null || ties == revision.ties())
        .flatMap(
            revision ->
                approvers
                    .approvedAt(revision, by)
                    .flatMap(
                        at ->
                            approved(name(period, revision), revision, by, finder.in(period, at))));
  }

  private static Optional<Result> approved(
      Sentence outcome, Revision revision, String by, ZonedDateTime at) {
    if (revision.postedAt() != null) {
      return Optional.of(Result.done(new ClosingSentences.AlreadyPaid(outcome, by, at)));
    }
    return revision.decision() == null
        ? Optional.of(Result.held(new ClosingSentences.AlreadyApproved(outcome, by, at)))
        : Optional.empty();
  }

  /** What the same rejection of the same outcome has done before. */
  private Optional<Result> rejectedBefore(
      Period period, @Nullable Integer number, @Nullable String expect) {
    String by = Caller.get().name();
    return shownAs(period, number, expect)
        .filter(
            revision ->
                revision.decision() != null
                    && revision.decision().verdict() == Revision.Verdict.REJECTED
                    && revision.decision().by().equals(by))
        .map(
            revision ->
                Result.done(
                    new ClosingSentences.AlreadyRejected(
                        name(period, revision),
                        by,
                        finder.in(period, Objects.requireNonNull(revision.decision()).at()))));
  }

  private Optional<Revision> shownAs(
      Period period, @Nullable Integer number, @Nullable String expect) {
    return expect == null
        ? Optional.empty()
        : revisions.of(period.id()).stream()
            .filter(revision -> number == null || number == revision.number())
            .filter(revision -> revision.wasShownAs(expect))
            .findFirst();
  }

  private static Sentence name(Period period, Revision revision) {
    return revision.base() == null
        ? new ClosingSentences.FirstOutcome(period.label())
        : new ClosingSentences.Amendment(period.label(), revision.number());
  }

  /** What the person was shown: a digest, or what {@code If-Match} names. A dry run shows it. */
  private static @Nullable String expected(@Nullable String digest, Call call) {
    if (digest != null && !digest.isEmpty()) {
      requireDigest(digest);
    }
    return digest == null && !call.isConditional() && !call.dryRun()
        ? Revision.NOTHING_SHOWN
        : digest;
  }

  /**
   * @throws Refusal if no outcome could have it
   */
  static void requireDigest(String expect) {
    if (!Revision.isDigest(expect)) {
      throw Lookup.invalid("expect", new ClosingSentences.NotADigest(expect));
    }
  }

  private static void requireFirst(Period period, @Nullable Integer revision) {
    if (revision != null && revision != Revision.FIRST) {
      throw new Refusal(
          Problem.WRONG_STATE, new ClosingSentences.HeldInFirst(period.label(), revision));
    }
  }

  private Result approveAmendment(Period period, Decision decision, boolean dryRun) {
    Revision shown = dryRun ? amendments.undecided(period).orElse(null) : null;
    var approved = amendments.approve(period.id(), decision, done -> {});
    Long transfers = approved.transfers();
    Result result =
        transfers == null
            ? stillHeld(
                period, amendments.undecided(period).orElseThrow().number(), approved.heldFor())
            : Result.done(
                dryRun
                    ? new ClosingSentences.WouldAmend(period.label(), transfers)
                    : new ClosingSentences.Amended(period.label(), transfers));
    return shown == null ? result : previews.posting(shown, result);
  }

  private Result stillHeld(Period period, int number, List<? extends Sentence> reasons) {
    Next approve =
        PeriodClosings.next("approve", period)
            .with("expect", revisions.find(period.id(), number).orElseThrow().digest());
    return Result.held(new ClosingSentences.StillHeld(period.label(), reasons))
        .then(number == Revision.FIRST ? approve : approve.with("revision", number));
  }

  private Result approveClosing(Period period, ApprovalDecision decision, Call call) {
    return finder.ifUnchanged(
        period,
        call,
        () -> {
          // If what was shown is approved already, an earlier call died before it paid.
          boolean isApproved =
              period.state() == PeriodState.APPROVED
                  && (decision.expect() == null
                      || shownAs(period, Revision.FIRST, decision.expect()).isPresent());
          if (!isApproved) {
            List<Sentence> reasons = approvals.approve(period.id(), decision);
            if (!reasons.isEmpty()) {
              return stillHeld(period, Revision.FIRST, reasons);
            }
          }
          return Result.done(new ClosingSentences.WouldApprove(period.label()));
        });
  }

  @Override
  public Task reject(String board, String period, Rejection body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    String expect = expected(body.expect(), call);
    VerbRequest order = new VerbRequest("reject", found, reason, body);
    Optional<Result> before = rejectedBefore(found, body.revision(), expect);
    if (before.isPresent()) {
      return tasks.answered(call.compared(), order, before.get());
    }
    boolean amendment = found.state().isSettled();
    if (!amendment) {
      requireFirst(found, body.revision());
    }
    return tasks.now(
        call.compared(),
        order,
        by -> {
          finder.unchanged(found, call).run();
          if (amendment) {
            amendments.reject(
                found.id(), new Decision(body.revision(), expect, by, reason), () -> {});
            return Result.done(new ClosingSentences.AmendmentRejected(found.label()));
          }
          approvals.reject(found.id(), new ApprovalDecision(by, reason, null, expect));
          return Result.done(new ClosingSentences.Rejected(found.label()))
              .then(PeriodClosings.next("restart", found));
        });
  }
}
