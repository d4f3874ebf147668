package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Version;
import palmares.operations.tasks.ContinuedTasks.Continued;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.Tasks.Progress;
import palmares.period.DuePeriods;
import palmares.period.DuePeriods.DueInImports;
import palmares.period.DuePeriods.DueSince;
import palmares.period.PeriodId;
import palmares.platform.Refusal;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.ClosingSentences.NextDue;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.Expiry;
import palmares.settlement.closing.Sweep;

/** Closes all periods that are due, and retries those that other processes hold. */
@Component
class DueClosings {
  private static final int MAX_LISTED = 100;

  private final Catalogue boards;
  private final PeriodFinder finder;
  private final PeriodList list;
  private final Sweep sweep;
  private final DuePeriods duePeriods;
  private final ClosingQueue queue;
  private final Closings closings;
  private final Expiry expiry;

  DueClosings(
      Catalogue boards,
      PeriodFinder finder,
      PeriodList list,
      Sweep sweep,
      DuePeriods duePeriods,
      ClosingQueue queue,
      Closings closings,
      Expiry expiry) {
    this.boards = boards;
    this.finder = finder;
    this.list = list;
    this.sweep = sweep;
    this.duePeriods = duePeriods;
    this.queue = queue;
    this.closings = closings;
    this.expiry = expiry;
  }

  /**
   * What is due at a time.
   *
   * @param closable the periods that are closed, in their versions
   * @param expirable the periods that are removed from Redis
   */
  private record Due(List<Version> closable, List<Version> expirable) {
    List<String> changes() {
      return Stream.concat(
              closable.stream().map(period -> "close " + period.line()),
              expirable.stream().map(period -> "expire " + period.line()))
          .toList();
    }
  }

  private Due due(Supplier<List<PeriodId>> closable) {
    return new Due(list.versions(closable.get()), list.versions(duePeriods.expirableOnDemand()));
  }

  /**
   * Says which periods would be closed, and how many removed from Redis.
   *
   * @param closable finds the periods to close
   */
  Result plan(Supplier<List<PeriodId>> closable) {
    sweep.prepareRows(); // Redis would not roll back.
    Due due = due(closable);
    var said = new ArrayList<Sentence>();
    if (due.closable().isEmpty()) {
      said.add(nothingDue());
    } else {
      said.add(new ClosingSentences.WouldCloseDue(due.closable().size()));
      due.closable().stream()
          .limit(MAX_LISTED)
          .forEach(period -> said.add(new ClosingSentences.DuePeriod(period.label())));
      if (due.closable().size() > MAX_LISTED) {
        said.add(new ClosingSentences.MoreDue(due.closable().size() - MAX_LISTED));
      }
    }
    if (!due.expirable().isEmpty()) {
      said.add(new ClosingSentences.WouldExpire(due.expirable().size()));
    }
    return new Result(Task.State.DONE, said).changing(due::changes);
  }

  /**
   * Closes all, and removes expired periods from Redis. Ends early once the caller may not do this
   * any more.
   *
   * @param closable finds the periods to close
   * @param shown throws if these are not the changes that the caller was shown; null if it was
   *     shown none. Periods are then closed only in the version that was shown
   */
  Result close(
      String by,
      BusyRetry retry,
      Supplier<List<PeriodId>> closable,
      @Nullable Consumer<List<String>> shown,
      Progress progress) {
    sweep.prepare();
    var cause = new ClosingCause("close-due", by);
    var round = new Round(cause, retry, progress);
    if (shown == null) {
      Result result = round.close(closable.get(), Map.of());
      expire(duePeriods.expirableOnDemand(), progress);
      return result;
    }
    Due due = due(closable);
    shown.accept(due.changes());
    var conditions = new LinkedHashMap<PeriodId, Runnable>();
    due.closable().forEach(period -> conditions.put(period.id(), finder.unchanged(period)));
    Result result = round.close(List.copyOf(conditions.keySet()), conditions);
    expire(due.expirable().stream().map(Version::id).toList(), progress);
    return result;
  }

  private void expire(List<PeriodId> expirable, Progress progress) {
    if (!expirable.isEmpty() && progress.mayGoOn()) {
      long all = expirable.size();
      LongConsumer expired =
          done -> progress.say(new ClosingSentences.Progress("expire", done, all, null));
      LongConsumer some = Tasks.everyTenSeconds(expired);
      expired.accept(0);
      expiry.expire(
          expirable,
          Tasks.everyTenSeconds(
              done -> progress.say(new ClosingSentences.Progress("verify", done, all, null))),
          done -> (done == all ? expired : some).accept(done));
    }
  }

  /** What became of what a task was to close: schedulers go on with it. */
  Optional<Continued> continued(Task task) {
    DueSince since = duePeriods.dueSince(task.startedAt());
    Instant last = since.last();
    return last == null || since.left() > 0
        ? Optional.empty()
        : Optional.of(
            new Continued(
                Result.done(sum(since.settled(), Duration.between(task.startedAt(), last), 0, 0)),
                last));
  }

  private static Sentence sum(long settled, Duration took, long failed, long left) {
    double perSecond = settled * 1e3 / Math.max(1, took.toMillis());
    return new ClosingSentences.DueSum(settled, Math.round(perSecond * 10) / 10.0, failed, left);
  }

  private Sentence nothingDue() {
    return new ClosingSentences.NothingDue(
        boards.all().stream()
            .flatMap(
                board ->
                    duePeriods
                        .nextClose(board)
                        .map(at -> new NextDue(board.id().value(), at.atZone(board.zone())))
                        .stream())
            .min(Comparator.comparing(NextDue::at))
            .orElse(null));
  }

  /** Closes what is due once, and counts the results. */
  private final class Round {
    private final ClosingCause cause;
    private final BusyRetry retry;
    private final Progress progress;
    private final List<Sentence> failures = new ArrayList<>();
    private final List<Sentence> held = new ArrayList<>();
    private final List<Next> next = new ArrayList<>();
    private final long start = System.nanoTime();
    private long settled;
    private long settledByOthers;
    private long forbidden;

    Round(ClosingCause cause, BusyRetry retry, Progress progress) {
      this.cause = cause;
      this.retry = retry;
      this.progress = progress;
    }

    /**
     * @param conditions run in the transactions that take the leases; none for those that the queue
     *     closes
     */
    Result close(List<PeriodId> due, Map<PeriodId, Runnable> conditions) {
      long filling = reportFilling(due);
      duePeriods
          .countDueOnPausedBoards()
          .forEach(
              (board, count) -> {
                progress.say(new ClosingSentences.PausedSkipped(board.value(), count));
                next.add(Next.of("resume").with("board", board));
              });
      if (due.isEmpty()) {
        return new Result(filling > 0 ? Task.State.FAILED : Task.State.DONE, List.of(nothingDue()))
            .then(next);
      }
      int left = closeAll(due, conditions);
      boolean failed = !failures.isEmpty() || left + forbidden > 0 || filling > 0;
      return new Result(
              failed ? Task.State.FAILED : held.isEmpty() ? Task.State.DONE : Task.State.HELD,
              said(left))
          .then(next);
    }

    /** Reports the due periods that are skipped because an import has not ended; counts them. */
    private long reportFilling(List<PeriodId> due) {
      DueInImports filling = duePeriods.countDueInImports(due);
      if (filling.running() > 0) {
        progress.say(new ClosingSentences.ImportsSkipped(filling.running()));
      }
      if (filling.stopped() > 0) {
        progress.say(new ClosingSentences.StoppedImportsSkipped(filling.stopped()));
        next.add(Next.of("close-due").with("stoppedImports", true));
      }
      return filling.running() + filling.stopped();
    }

    /** Returns how many periods other processes still hold after the last attempt. */
    private int closeAll(List<PeriodId> due, Map<PeriodId, Runnable> conditions) {
      var left = new ArrayList<>(due);
      LongConsumer report = Tasks.everyTenSeconds(busy -> report(due.size(), busy));
      retry.until(
          List::isEmpty,
          () -> {
            List<PeriodId> busy = attempt(left, report, conditions);
            left.clear();
            left.addAll(busy);
            return left;
          });
      return left.size();
    }

    /** Returns the periods that other processes hold. */
    private List<PeriodId> attempt(
        List<PeriodId> attempted, LongConsumer report, Map<PeriodId, Runnable> conditions) {
      var busy = new ArrayList<PeriodId>();
      List<CompletableFuture<ClosingResult>> queued =
          conditions.isEmpty() ? queue.close(attempted, cause, progress::mayGoOn) : List.of();
      for (int i = 0; i < attempted.size(); i++) {
        PeriodId period = attempted.get(i);
        Runnable condition = conditions.get(period);
        if (isBusy(period, condition == null ? queued.get(i) : close(period, condition))) {
          busy.add(period);
        }
        report.accept(busy.size());
      }
      return busy;
    }

    /** Not in the queue, whose closings have no condition. */
    private CompletableFuture<ClosingResult> close(PeriodId period, Runnable condition) {
      var result = new CompletableFuture<ClosingResult>();
      try {
        if (progress.mayGoOn()) {
          result.complete(closings.close(period, cause, condition, step -> {}));
        } else {
          result.cancel(false);
        }
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
      return result;
    }

    private void report(int total, long busy) {
      long done = settled + settledByOthers + failures.size() + held.size();
      progress.say(
          new ClosingSentences.Progress(
              "close", done, total, busy == 0 ? null : new ClosingSentences.OthersHold(busy)));
    }

    /** Counts the result, unless another process holds the period. */
    private boolean isBusy(PeriodId period, CompletableFuture<ClosingResult> closing) {
      try {
        ClosingResult closed = closing.join();
        switch (closed.outcome()) {
          case SETTLED -> settled++;
          case ALREADY_SETTLED -> settledByOthers++;
          case FAILED -> failures.add(ofPeriod(closed));
          case HELD -> held.add(ofPeriod(closed));
          case BUSY, LOST -> {
            return true;
          }
        }
      } catch (CancellationException e) {
        if (!progress.mayGoOn()) {
          forbidden++;
        } else if (queue.isRunning()) {
          return true; // Queued by another caller, who may not do this any more.
        } else {
          throw e; // The process stops.
        }
      } catch (CompletionException e) {
        // Perhaps its row could not be read, so only the id is known.
        failures.add(
            e.getCause() instanceof Refusal refused
                ? refused.said()
                : new ClosingSentences.OfPeriodId(
                    period.value(), Refusal.said(NestedExceptionUtils.getMostSpecificCause(e))));
      }
      return false;
    }

    private static Sentence ofPeriod(ClosingResult closed) {
      return new ClosingSentences.OfPeriod(
          closed.period().label(), Objects.requireNonNull(closed.detail()));
    }

    private List<Sentence> said(int left) {
      var said = new ArrayList<Sentence>();
      failures.forEach(failure -> said.add(new ClosingSentences.DueFailed(failure)));
      held.forEach(why -> said.add(new ClosingSentences.DueHeld(why)));
      if (forbidden > 0) {
        said.add(new ClosingSentences.DueLeft(cause.by(), forbidden));
      }
      said.add(sum(settled, DisplayFormat.since(start), failures.size(), left));
      return said;
    }
  }
}
