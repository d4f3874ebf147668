package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.roles.Caller;
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.Amendments.Decision;
import palmares.operations.report.PeriodHistory;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.ContinuedTasks;
import palmares.operations.tasks.ContinuedTasks.Continued;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.Tasks.Progress;
import palmares.operations.tasks.VerbRequest;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.time.Days;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.ExtensionSentences;
import palmares.settlement.closing.Extensions;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/**
 * Closings run in the process that answers, which can show their steps. Its lease makes that safe:
 * if the process dies, any scheduler goes on from the state that was reached.
 */
@RestController
class ClosingController implements ClosingResource {
  private static final int DEFAULT_WAIT_SECONDS = 60;
  private static final int MAX_WAIT_SECONDS = 3_600;

  private final Tasks tasks;
  private final PeriodFinder finder;
  private final Closings closings;
  private final DueClosings dueClosings;
  private final DuePeriods duePeriods;
  private final Approvals approvals;
  private final Extensions extensions;
  private final Amendments amendments;
  private final Revisions revisions;
  private final Approvers approvers;
  private final BoardDefinitions definitions;
  private final PeriodHistory history;
  private final PayoutPreviews previews;

  ClosingController(
      Tasks tasks,
      ContinuedTasks continued,
      PeriodFinder finder,
      Closings closings,
      DueClosings dueClosings,
      DuePeriods duePeriods,
      Approvals approvals,
      Extensions extensions,
      Amendments amendments,
      Revisions revisions,
      Approvers approvers,
      BoardDefinitions definitions,
      PeriodHistory history,
      PayoutPreviews previews) {
    this.tasks = tasks;
    this.finder = finder;
    this.closings = closings;
    this.dueClosings = dueClosings;
    this.duePeriods = duePeriods;
    this.approvals = approvals;
    this.extensions = extensions;
    this.amendments = amendments;
    this.revisions = revisions;
    this.approvers = approvers;
    this.definitions = definitions;
    this.history = history;
    this.previews = previews;
    for (String verb : List.of("approve", "close", "restart")) {
      continued.add(verb, this::continued);
    }
  }

  /** Schedulers go on with a closing, so its task is what became of the period since. */
  private Optional<Continued> continued(Task task) {
    return task.period() == null
        ? dueClosings.continued(task)
        : history
            .find(new BoardId(String.valueOf(task.board())), new PeriodName(task.period()))
            .flatMap(summary -> Optional.ofNullable(summary.settledAt()))
            .filter(settled -> !settled.isBefore(task.startedAt()))
            .flatMap(settled -> continued(task, settled));
  }

  private Optional<Continued> continued(Task task, Instant settled) {
    Period period = finder.find(String.valueOf(task.board()), String.valueOf(task.period()));
    Revision first = revisions.find(period.id(), Revision.FIRST).orElseThrow();
    var decision = first.decision();
    boolean isApproval = task.verb().equals("approve");
    if (isApproval && (decision == null || !decision.by().equals(task.by()))) {
      return Optional.empty();
    }
    Sentence said =
        isApproval
            ? new ClosingSentences.Approved(period.label())
            : new ClosingSentences.Settled(period.label());
    return Optional.of(new Continued(Result.done(said), settled));
  }

  private static VerbRequest order(String verb, Period period, String reason, Object body) {
    return new VerbRequest(verb, period.board().value(), period.name().value(), reason, body);
  }

  @Override
  public Task close(String board, String period, ClosingRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BusyRetry retry = retry(body);
    if (body.stoppedImports()) {
      throw Lookup.invalid("stoppedImports", new ClosingSentences.ForAllDue());
    }
    if (call.dryRun()) {
      return dryClose(board, period, reason, body, call);
    }
    Period found = finder.findDue(board, period);
    VerbRequest order = order("close", found, reason, body);
    return tasks.later(
        call.compared(),
        order,
        by -> finder.requireUnchanged(found, call),
        by -> wouldClose(found),
        (by, progress) ->
            found.state().isSettled()
                ? settledBefore(found)
                : close(
                    found,
                    by,
                    tasks.recording(finder.unchanged(found, call), order, by),
                    retry,
                    progress));
  }

  /** A period whose row is missing is created in the transaction of the dry run only. */
  private Task dryClose(
      String board, String period, String reason, ClosingRequest body, Call call) {
    if (finder.hasRow(board, period)) {
      // Not in the transaction of a dry run: Redis would not roll back.
      previews.drain(finder.findDue(board, period));
    }
    return tasks.now(
        call.compared(),
        new VerbRequest("close", board, period, reason, body),
        by -> {
          Period found = finder.findDue(board, period);
          finder.requireUnchanged(found, call);
          return wouldClose(found);
        });
  }

  private static BusyRetry retry(ClosingRequest body) {
    int seconds = body.waitSeconds() == null ? DEFAULT_WAIT_SECONDS : body.waitSeconds();
    return new BusyRetry(
        Duration.ofSeconds(Lookup.within(0, MAX_WAIT_SECONDS, "waitSeconds", seconds)));
  }

  private Result wouldClose(Period period) {
    return switch (period.state()) {
      case HELD, REJECTED -> held(period);
      case OPEN, SEALED, FILLED, APPROVED -> {
        Result closed =
            Result.done(new ClosingSentences.WouldClose(period.label(), period.state()));
        boolean computable =
            period.state() != PeriodState.SEALED && definitions.of(period).kind().countsEvents();
        yield computable ? previews.paying(period, closed) : closed;
      }
      case SETTLED, EXPIRED -> settledBefore(period);
    };
  }

  private Result close(
      Period period, String by, Runnable condition, BusyRetry retry, Progress progress) {
    long start = System.nanoTime();
    ClosingResult closed = close(period, new ClosingCause("close", by), condition, retry, progress);
    return switch (closed.outcome()) {
      case SETTLED -> settled(closed.period(), DisplayFormat.since(start));
      case ALREADY_SETTLED -> settledBefore(closed.period());
      case HELD -> held(closed.period());
      case FAILED ->
          throw failed(new ClosingSentences.NotSettled(period.label(), why(closed)))
              .then(next("close", period));
      case BUSY, LOST -> throw inUse(period);
    };
  }

  private ClosingResult close(
      Period period, ClosingCause cause, Runnable condition, BusyRetry retry, Progress progress) {
    return retry.until(
        ClosingController::isOver,
        () -> {
          ClosingResult result =
              closings.close(period.id(), cause, condition, steps(progress, System.nanoTime()));
          if (!isOver(result)) {
            progress.say(new ClosingSentences.Retrying(period.label()));
          }
          return result;
        });
  }

  /** A scheduler may take the period first, or a refused verb hold its lease for a moment. */
  private ClosingResult close(Period period, ClosingCause cause, Progress progress) {
    var retry = new BusyRetry(Duration.ofSeconds(DEFAULT_WAIT_SECONDS));
    return close(period, cause, () -> {}, retry, progress);
  }

  private static Refusal failed(Sentence said) {
    return new Refusal(Problem.CLOSING_FAILED, said);
  }

  private static Sentence why(ClosingResult failed) {
    return Objects.requireNonNull(failed.detail());
  }

  private static Refusal inUse(Period period) {
    return new Refusal(Problem.PERIOD_BUSY, new ClosingSentences.InUse(period.label()))
        .then(Next.of("runs").with("board", period.board()));
  }

  private static Next next(String verb, Period period) {
    return Next.of(verb, period.board(), period.name());
  }

  private static boolean isOver(ClosingResult closed) {
    return closed.outcome() != Status.BUSY && closed.outcome() != Status.LOST;
  }

  private static Consumer<String> steps(Progress progress, long start) {
    return step -> progress.say(new ClosingSentences.StepBegins(DisplayFormat.since(start), step));
  }

  private static Result settled(Period period, Duration took) {
    var population = period.population();
    return Result.done(
        new ClosingSentences.Closed(
            period.label(), population == null ? 0 : population.members(), took));
  }

  private Result settledBefore(Period period) {
    return history
        .find(period.board(), period.name())
        .flatMap(summary -> Optional.ofNullable(summary.settledAt()))
        .map(at -> Result.done(new ClosingSentences.SettledBefore(period.label(), in(period, at))))
        .orElseGet(() -> Result.done(new ClosingSentences.Settled(period.label())));
  }

  private ZonedDateTime in(Period period, Instant at) {
    return at.atZone(definitions.of(period).zone());
  }

  /** Says why a closing is held or rejected, and what a person can do. */
  private Result held(Period period) {
    String label = period.label();
    if (period.state() == PeriodState.REJECTED) {
      return Result.held(new ClosingSentences.WasRejected(label)).then(next("restart", period));
    }
    Revision held = revisions.find(period.id(), Revision.FIRST).orElseThrow();
    boolean holdsTies =
        definitions.of(period).payout().rules().stream().anyMatch(RewardRule::holdsTies);
    Next approve = next("approve", period).with("expect", held.digest());
    return Result.held(new ClosingSentences.Held(label, held.heldFor()))
        .then(
            next("preview", period),
            next("report", period).with("revision", Revision.FIRST),
            holdsTies ? approve.with("ties", List.of("each", "share", "order")) : approve,
            next("reject", period).with("expect", held.digest()));
  }

  @Override
  public Task closeDue(ClosingRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BusyRetry retry = retry(body);
    VerbRequest order =
        new VerbRequest("close", null, null, reason, body)
            .with("stoppedImports", body.stoppedImports())
            .recordedFirst();
    Supplier<List<PeriodId>> due =
        body.stoppedImports() ? duePeriods::dueWithStoppedImports : duePeriods::dueOnDemand;
    return tasks.later(
        call,
        order,
        by -> {},
        by -> dueClosings.plan(due),
        (by, progress) ->
            dueClosings.close(
                by,
                retry,
                due,
                call.isConditional() ? shown -> call.requireShown(order.verb(), shown) : null,
                progress));
  }

  @Override
  public Task restart(String board, String period, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    return tasks.later(
        call.compared(),
        order("restart", found, reason, body),
        by -> restart(found, by, reason, call),
        by -> {
          restart(found, by, reason, call);
          Result closed =
              Result.done(new ClosingSentences.WouldRestart(found.label(), found.state()));
          // What is rejected is computed again, and the journal of an open period is not drained.
          boolean computable =
              found.state().isFilled()
                  && found.state() != PeriodState.REJECTED
                  && definitions.of(found).kind().countsEvents();
          return computable ? previews.paying(found, closed) : closed;
        },
        (by, progress) -> {
          restart(found, by, reason, call);
          return restarted(close(found, new ClosingCause("restart", by), progress));
        });
  }

  private void restart(Period period, String by, String reason, Call call) {
    duePeriods.requireOver(period);
    finder.ifUnchanged(
        period,
        call,
        () -> {
          approvals.restart(period.id(), new ApprovalDecision(by, reason, null));
          return period;
        });
  }

  private Result restarted(ClosingResult closed) {
    Period period = closed.period();
    return switch (closed.outcome()) {
      case SETTLED, ALREADY_SETTLED -> Result.done(new ClosingSentences.Settled(period.label()));
      case HELD -> held(period);
      case FAILED ->
          throw failed(new ClosingSentences.FailedAgain(period.label(), why(closed)))
              .then(next("restart", period));
      case BUSY, LOST -> throw inUse(period);
    };
  }

  @Override
  public Task hold(String board, String period, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    return tasks.now(
        call.compared(),
        order("hold", found, reason, body),
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
        order("lift-hold", found, reason, body),
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
  public Task extend(String board, String period, ExtensionRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    Days days = definitions.of(found).calendar().days();
    Instant until = Lookup.required("until", Lookup.time("until", body.until(), days));
    return tasks.now(
        call.compared(),
        order("extend", found, reason, body),
        by -> {
          finder.unchanged(found, call).run();
          return Result.done(
              extensions.extend(found.id(), until, by, reason).stream()
                  .map(each -> new ExtensionSentences.Extended(each.label(), in(each, until)))
                  .toArray(Sentence[]::new));
        });
  }

  @Override
  public Task approve(String board, String period, Approval body, Call call) {
    String reason = Lookup.reason(body.reason());
    Ties ties = AmendmentController.ties(body.ties());
    Period found = finder.find(board, period);
    VerbRequest order = order("approve", found, reason, body);
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
          return decided.state() == Task.State.DONE ? pay(found, by, progress) : decided;
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
                    .flatMap(at -> approved(name(period, revision), revision, by, in(period, at))));
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
                        in(period, Objects.requireNonNull(revision.decision()).at()))));
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
    var approved = amendments.approve(period.id(), decision, done -> {});
    Long transfers = approved.transfers();
    if (transfers == null) {
      int number = amendments.undecided(period).orElseThrow().number();
      return stillHeld(period, number, approved.heldFor());
    }
    return Result.done(
        dryRun
            ? new ClosingSentences.WouldAmend(period.label(), transfers)
            : new ClosingSentences.Amended(period.label(), transfers));
  }

  private Result stillHeld(Period period, int number, List<? extends Sentence> reasons) {
    Next approve =
        next("approve", period)
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

  private Result pay(Period period, String by, Progress progress) {
    ClosingResult closed = close(period, new ClosingCause("approve", by), progress);
    if (closed.outcome() != Status.SETTLED && closed.outcome() != Status.ALREADY_SETTLED) {
      throw failed(new ClosingSentences.NotPaid(period.label(), why(closed)))
          .then(next("close", period));
    }
    return Result.done(new ClosingSentences.Approved(period.label()));
  }

  @Override
  public Task reject(String board, String period, Rejection body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    String expect = expected(body.expect(), call);
    VerbRequest order = order("reject", found, reason, body);
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
              .then(next("restart", found));
        });
  }
}
