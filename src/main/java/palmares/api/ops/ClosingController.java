package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.bind.annotation.RestController;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;
import palmares.platform.time.Days;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.ExtensionSentences;
import palmares.settlement.closing.Extensions;

/**
 * Closings run in the process that answers, which can show their steps. Its lease makes that safe:
 * if the process dies, any scheduler goes on from the state that was reached.
 */
@RestController
class ClosingController implements ClosingResource {
  private static final int MAX_WAIT_SECONDS = 3_600;

  private final Tasks tasks;
  private final PeriodFinder finder;
  private final PeriodClosings closings;
  private final DueClosings dueClosings;
  private final DuePeriods duePeriods;
  private final Approvals approvals;
  private final Extensions extensions;
  private final PayoutPreviews previews;

  ClosingController(
      Tasks tasks,
      PeriodFinder finder,
      PeriodClosings closings,
      DueClosings dueClosings,
      DuePeriods duePeriods,
      Approvals approvals,
      Extensions extensions,
      PayoutPreviews previews) {
    this.tasks = tasks;
    this.finder = finder;
    this.closings = closings;
    this.dueClosings = dueClosings;
    this.duePeriods = duePeriods;
    this.approvals = approvals;
    this.extensions = extensions;
    this.previews = previews;
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
    VerbRequest order = new VerbRequest("close", found, reason, body);
    return tasks.later(
        call.compared(),
        order,
        by -> finder.requireUnchanged(found, call),
        by -> wouldClose(found),
        (by, progress) ->
            found.state().isSettled()
                ? closings.settledBefore(found)
                : closings.close(
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
    int seconds =
        body.waitSeconds() == null ? PeriodClosings.DEFAULT_WAIT_SECONDS : body.waitSeconds();
    return new BusyRetry(
        Duration.ofSeconds(Lookup.within(0, MAX_WAIT_SECONDS, "waitSeconds", seconds)));
  }

  private Result wouldClose(Period period) {
    return switch (period.state()) {
      case HELD, REJECTED -> closings.held(period);
      case OPEN, SEALED, FILLED, APPROVED -> {
        Result closed =
            Result.done(new ClosingSentences.WouldClose(period.label(), period.state()));
        boolean computable =
            period.state() != PeriodState.SEALED && finder.rules(period).kind().countsEvents();
        yield computable ? previews.paying(period, closed) : closed;
      }
      case SETTLED, EXPIRED -> closings.settledBefore(period);
    };
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
        new VerbRequest("restart", found, reason, body),
        by -> restart(found, by, reason, call),
        by -> {
          restart(found, by, reason, call);
          Result closed =
              Result.done(new ClosingSentences.WouldRestart(found.label(), found.state()));
          // What is rejected is computed again, and the journal of an open period is not drained.
          boolean computable =
              found.state().isFilled()
                  && found.state() != PeriodState.REJECTED
                  && finder.rules(found).kind().countsEvents();
          return computable ? previews.paying(found, closed) : closed;
        },
        (by, progress) -> {
          restart(found, by, reason, call);
          return closings.closeAgain(found, by, progress);
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

  @Override
  public Task extend(String board, String period, ExtensionRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Period found = finder.find(board, period);
    Days days = finder.rules(found).calendar().days();
    Instant until = Lookup.required("until", Lookup.time("until", body.until(), days));
    return tasks.now(
        call.compared(),
        new VerbRequest("extend", found, reason, body),
        by -> {
          finder.unchanged(found, call).run();
          return Result.done(
              extensions.extend(found.id(), until, by, reason).stream()
                  .map(
                      each -> new ExtensionSentences.Extended(each.label(), finder.in(each, until)))
                  .toArray(Sentence[]::new));
        });
  }
}
