package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import palmares.operations.report.PeriodHistory;
import palmares.operations.tasks.ContinuedTasks;
import palmares.operations.tasks.ContinuedTasks.Continued;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks.Progress;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.RewardRule;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.Closings;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Closes single periods for people, and says what became of them. */
@Component
class PeriodClosings {
  /** A scheduler may take the period first, or a refused verb hold its lease for a moment. */
  static final int DEFAULT_WAIT_SECONDS = 60;

  private final PeriodFinder finder;
  private final Closings closings;
  private final DueClosings dueClosings;
  private final Revisions revisions;
  private final PeriodHistory history;

  PeriodClosings(
      ContinuedTasks continued,
      PeriodFinder finder,
      Closings closings,
      DueClosings dueClosings,
      Revisions revisions,
      PeriodHistory history) {
    this.finder = finder;
    this.closings = closings;
    this.dueClosings = dueClosings;
    this.revisions = revisions;
    this.history = history;
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

  /**
   * Closes a period.
   *
   * @param condition runs in the transaction that takes the lease, and throws if it does not hold
   * @throws Refusal if the closing fails, or another process holds the period until the timeout
   */
  Result close(Period period, String by, Runnable condition, BusyRetry retry, Progress progress) {
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
        PeriodClosings::isOver,
        () -> {
          ClosingResult result =
              closings.close(period.id(), cause, condition, steps(progress, System.nanoTime()));
          if (!isOver(result)) {
            progress.say(new ClosingSentences.Retrying(period.label()));
          }
          return result;
        });
  }

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

  static Next next(String verb, Period period) {
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

  /** Says that a period was settled before the call. */
  Result settledBefore(Period period) {
    return history
        .find(period.board(), period.name())
        .flatMap(summary -> Optional.ofNullable(summary.settledAt()))
        .map(
            at ->
                Result.done(
                    new ClosingSentences.SettledBefore(period.label(), finder.in(period, at))))
        .orElseGet(() -> Result.done(new ClosingSentences.Settled(period.label())));
  }

  /** Says why a closing is held or rejected, and what a person can do. */
  Result held(Period period) {
    String label = period.label();
    if (period.state() == PeriodState.REJECTED) {
      return Result.held(new ClosingSentences.WasRejected(label)).then(next("restart", period));
    }
    Revision held = revisions.find(period.id(), Revision.FIRST).orElseThrow();
    boolean holdsTies =
        finder.rules(period).payout().rules().stream().anyMatch(RewardRule::holdsTies);
    Next approve = next("approve", period).with("expect", held.digest());
    return Result.held(new ClosingSentences.Held(label, held.heldFor()))
        .then(
            next("preview", period),
            next("report", period).with("revision", Revision.FIRST),
            holdsTies ? approve.with("ties", List.of("each", "share", "order")) : approve,
            next("reject", period).with("expect", held.digest()));
  }

  /** Closes a period whose closing was restarted. */
  Result closeAgain(Period restarted, String by, Progress progress) {
    ClosingResult closed = close(restarted, new ClosingCause("restart", by), progress);
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

  /** Closes a period whose outcome was approved, which pays it. */
  Result pay(Period period, String by, Progress progress) {
    ClosingResult closed = close(period, new ClosingCause("approve", by), progress);
    if (closed.outcome() != Status.SETTLED && closed.outcome() != Status.ALREADY_SETTLED) {
      throw failed(new ClosingSentences.NotPaid(period.label(), why(closed)))
          .then(next("close", period));
    }
    return Result.done(new ClosingSentences.Approved(period.label()));
  }
}
