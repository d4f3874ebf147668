package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.ContinuedTasks.Continued;
import palmares.api.roles.Caller;
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.Amendments.Decision;
import palmares.operations.report.PeriodHistory;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.Extensions;
import palmares.settlement.closing.Preview;
import palmares.settlement.outcome.Approvers;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/**
 * Closings run in the process that answers, which can show their steps. Its lease makes that safe:
 * if the process dies, the sweep of any scheduler goes on from the state that was reached.
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
  private final Preview preview;
  private final PeriodController periods;

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
      Preview preview,
      PeriodController periods) {
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
    this.preview = preview;
    this.periods = periods;
    for (String verb : List.of("approve", "close", "restart")) {
      continued.add(verb, this::continued);
    }
  }

  /** The sweep goes on with a closing, so its task is what became of the period since. */
  private Optional<Continued> continued(Task task) {
    return task.period() == null
        ? Optional.empty()
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
    String label = isApproval ? "%s is approved and settled" : "%s is settled";
    return Optional.of(new Continued(Result.done(label.formatted(period.label())), settled));
  }

  private static VerbRequest order(String verb, Period period, String reason, Object body) {
    return new VerbRequest(verb, period.board().value(), period.name().value(), reason, body);
  }

  @Override
  public Task close(String board, String period, ClosingRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    BusyRetry retry = retry(body);
    if (body.stoppedImports()) {
      throw Lookup.invalid("leave 'stoppedImports' out: it is for closing all that is due");
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
      periods.drain(finder.findDue(board, period));
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
            Result.done(
                "%s is %s, and would be closed".formatted(period.label(), period.state().word()));
        boolean computable =
            period.state() != PeriodState.SEALED && definitions.of(period).kind().countsEvents();
        yield computable ? paying(period, closed) : closed;
      }
      case SETTLED, EXPIRED -> settledBefore(period);
    };
  }

  /** The same dry run, with what the period would pay. */
  private Result paying(Period period, Result dryRun) {
    return preview.ask(
        period,
        forecast ->
            dryRun
                .and(Result.verbatim(PeriodController.sums(forecast)))
                .paying(ExpectedPayout.of(forecast)));
  }

  private Result close(
      Period period, String by, Runnable condition, BusyRetry retry, Consumer<String> progress) {
    long start = System.nanoTime();
    var cause = new ClosingCause("palmares close", by);
    ClosingResult closed =
        retry.until(
            ClosingController::isOver,
            () -> {
              long began = System.nanoTime();
              ClosingResult result =
                  closings.close(
                      period.id(), cause, condition, step -> progress.accept(step(step, began)));
              if (!isOver(result)) {
                progress.accept(
                    "%s is in use by another process; retrying until its lease ends"
                        .formatted(period.label()));
              }
              return result;
            });
    return switch (closed.outcome()) {
      case SETTLED -> settled(closed.period(), DisplayFormat.since(start));
      case ALREADY_SETTLED -> settledBefore(closed.period());
      case HELD -> held(closed.period());
      case FAILED ->
          throw failed(
              "%1$s is not settled: %2$s; 'palmares close %1$s' retries it"
                  .formatted(period.label(), closed.detail()));
      case BUSY, LOST ->
          throw new ProblemException(
              Problem.PERIOD_BUSY,
              "%s is in use by another process that closes it: 'palmares runs %s' shows which"
                  .formatted(period.label(), period.board()));
    };
  }

  private static ProblemException failed(String detail) {
    return new ProblemException(Problem.CLOSING_FAILED, detail);
  }

  private static boolean isOver(ClosingResult closed) {
    return closed.outcome() != Status.BUSY && closed.outcome() != Status.LOST;
  }

  private static String step(String step, long start) {
    return String.format(
        Locale.ROOT, "  %6.2f s  %s", DisplayFormat.since(start).toMillis() / 1e3, step);
  }

  private static Result settled(Period period, Duration took) {
    var population = period.population();
    return Result.done(
        "settled %s: %s, in %s"
            .formatted(
                period.label(),
                DisplayFormat.count(
                    population == null ? 0 : population.members(), "member", "members"),
                DisplayFormat.duration(took)));
  }

  private Result settledBefore(Period period) {
    String since =
        history
            .find(period.board(), period.name())
            .flatMap(summary -> Optional.ofNullable(summary.settledAt()))
            .map(at -> DisplayFormat.time(at, definitions.of(period).zone()))
            .orElse("a moment ago");
    return Result.done(
        "%s is settled since %s; nothing was changed".formatted(period.label(), since));
  }

  /** Says why a closing is held or rejected, and names the commands that a person can use. */
  private Result held(Period period) {
    String label = period.label();
    if (period.state() == PeriodState.REJECTED) {
      return Result.held(
          ("%1$s was rejected, and nothing is paid: 'palmares restart %1$s --reason TEXT' computes"
                  + " its ranks and awards again")
              .formatted(label));
    }
    Revision held = revisions.find(period.id(), Revision.FIRST).orElseThrow();
    boolean holdsTies =
        definitions.of(period).payout().rules().stream().anyMatch(RewardRule::holdsTies);
    return Result.held(
        "%s is held for approval, and nothing is paid: %s"
            .formatted(label, TerminalText.of(Texts.englishList(held.heldFor()))),
        "see 'palmares preview %1$s' and 'palmares report %1$s --revision 1'; then"
            .formatted(label),
        "  palmares approve %s --expect %s --reason TEXT%s"
            .formatted(
                label, held.digest(), holdsTies ? " [--ties each|share|order, for ties]" : ""),
        "  palmares reject %s --expect %s --reason TEXT".formatted(label, held.digest()));
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
              Result.done(
                  "%s is %s, and would be closed again"
                      .formatted(found.label(), found.state().word()));
          // What is rejected is computed again, and the journal of an open period is not drained.
          boolean computable =
              found.state().isFilled()
                  && found.state() != PeriodState.REJECTED
                  && definitions.of(found).kind().countsEvents();
          return computable ? paying(found, closed) : closed;
        },
        (by, progress) -> {
          restart(found, by, reason, call);
          ClosingResult closed =
              closings.close(
                  found.id(),
                  new ClosingCause("palmares restart", by),
                  step -> progress.accept("  " + step));
          return ended(closed, "%s is settled", "%s failed again: %s");
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

  private Result ended(ClosingResult closed, String settled, String failed) {
    String label = closed.period().label();
    return switch (closed.outcome()) {
      case SETTLED, ALREADY_SETTLED -> Result.done(settled.formatted(label));
      case HELD -> held(closed.period());
      case FAILED -> throw failed(failed.formatted(label, closed.detail()));
      case BUSY, LOST ->
          throw new ProblemException(
              Problem.PERIOD_BUSY,
              "%s is in use by another process that closes it".formatted(label));
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
          return Result.done("%s is not paid until a person approves it".formatted(found.label()));
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
          String message =
              found.state() == PeriodState.REJECTED
                  ? "%s is paid as its rules say once it is restarted"
                  : "%s is paid as its rules say";
          return Result.done(message.formatted(found.label()));
        });
  }

  @Override
  public Task extend(String board, String period, ExtensionRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    ZoneId zone = definitions.of(found).zone();
    Instant until = Lookup.required("until", Lookup.time("until", body.until(), zone));
    return tasks.now(
        call.compared(),
        order("extend", found, reason, body),
        by -> {
          finder.unchanged(found, call).run();
          return Result.done(
              extensions.extend(found.id(), until, by, reason).stream()
                  .map(
                      each ->
                          "%s is extended: it ends %s".formatted(each.label(), time(each, until)))
                  .toArray(String[]::new));
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
        throw Lookup.invalid("leave 'ties' out: 'palmares amend --ties' decides them");
      }
      if (body.acceptExclusions()) {
        throw Lookup.invalid(
            "leave 'acceptExclusions' out: an amendment is ranked with the exclusions in force");
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
          Result decided = approveClosing(found, decision.apply(by), call);
          return decided.state() == Task.State.DONE ? paying(found, decided) : decided;
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
                    .flatMap(at -> approved(period, revision, by + " at " + time(period, at))));
  }

  private static Optional<Result> approved(Period period, Revision revision, String who) {
    String already = "%s was already approved by %s".formatted(name(period, revision), who);
    if (revision.postedAt() != null) {
      return Optional.of(Result.done(already + ", and is paid; nothing was changed"));
    }
    return revision.decision() == null
        ? Optional.of(
            Result.held(already + "; another person must approve it too, and nothing is paid"))
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
                    "%s was already rejected by %s at %s; nothing was changed"
                        .formatted(
                            name(period, revision),
                            by,
                            time(period, Objects.requireNonNull(revision.decision()).at()))));
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

  private static String name(Period period, Revision revision) {
    return revision.base() == null
        ? period.label()
        : "revision %d of %s".formatted(revision.number(), period.label());
  }

  private String time(Period period, Instant at) {
    return DisplayFormat.time(at, definitions.of(period).zone());
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
   * @throws ProblemException if no outcome could have it
   */
  static void requireDigest(String expect) {
    if (!Revision.isDigest(expect)) {
      throw Lookup.invalid(
          "'expect' is the digest that was shown, eight hexadecimal digits such as 5e6f7a8b, not"
              + " '%s'".formatted(expect));
    }
  }

  private static void requireFirst(Period period, @Nullable Integer revision) {
    if (revision != null && revision != Revision.FIRST) {
      throw new ProblemException(
          Problem.WRONG_STATE,
          "%s is held in revision 1, not %d".formatted(period.label(), revision));
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
        (dryRun
                ? "%s would be amended: %s posted, and verified"
                : "%s is amended: %s posted, and verified")
            .formatted(period.label(), DisplayFormat.count(transfers, "transfer", "transfers")));
  }

  private Result stillHeld(Period period, int number, List<? extends Sentence> reasons) {
    String digest = revisions.find(period.id(), number).orElseThrow().digest();
    return Result.held(
        "%s is still held, and nothing is paid: %s; approve that with --expect %s"
            .formatted(period.label(), TerminalText.of(Texts.englishList(reasons)), digest));
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
          return Result.done("%s would be approved and paid".formatted(period.label()));
        });
  }

  private Result pay(Period period, String by, Consumer<String> progress) {
    var cause = new ClosingCause("palmares approve", by);
    // A refused verb may hold the lease for a moment.
    ClosingResult closed =
        new BusyRetry(Duration.ofSeconds(DEFAULT_WAIT_SECONDS))
            .until(
                ClosingController::isOver,
                () -> closings.close(period.id(), cause, step -> progress.accept("  " + step)));
    if (closed.outcome() != Status.SETTLED && closed.outcome() != Status.ALREADY_SETTLED) {
      throw failed(
          ("%1$s is approved, but not settled: %2$s; the next sweep or 'palmares close %1$s'"
                  + " retries")
              .formatted(period.label(), closed.detail()));
    }
    return Result.done("%s is approved and settled".formatted(period.label()));
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
            return Result.done("the amendment of %s is rejected".formatted(found.label()));
          }
          approvals.reject(found.id(), new ApprovalDecision(by, reason, null, expect));
          return Result.done(
              ("%1$s is rejected, and not paid; 'palmares restart %1$s --reason TEXT' computes it"
                      + " again")
                  .formatted(found.label()));
        });
  }
}
