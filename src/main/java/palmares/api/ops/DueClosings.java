package palmares.api.ops;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import palmares.api.http.ProblemException;
import palmares.api.ops.Tasks.Progress;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Version;
import palmares.period.DuePeriods;
import palmares.period.DuePeriods.DueInImports;
import palmares.period.PeriodId;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;
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
    var lines = new ArrayList<String>();
    if (due.closable().isEmpty()) {
      lines.add(nothingDue());
    } else {
      lines.add(
          DisplayFormat.count(due.closable().size(), "period", "periods") + " would be closed");
      due.closable().stream().limit(MAX_LISTED).forEach(period -> lines.add("  " + period.label()));
      if (due.closable().size() > MAX_LISTED) {
        lines.add("  and %s more".formatted(number(due.closable().size() - MAX_LISTED)));
      }
    }
    if (!due.expirable().isEmpty()) {
      lines.add(
          "the live boards of %s would be removed from Redis"
              .formatted(
                  DisplayFormat.count(
                      due.expirable().size(), "expired period", "expired periods")));
    }
    return new Result(Task.State.DONE, Result.verbatim(lines)).changing(due::changes);
  }

  private static String number(long number) {
    return DisplayFormat.number(number);
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
    var cause = new ClosingCause("palmares close --due", by);
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
      LongConsumer expired = done -> progress.accept(progress("expire", done, all));
      LongConsumer some = Tasks.everyTenSeconds(expired);
      expired.accept(0);
      expiry.expire(
          expirable,
          Tasks.everyTenSeconds(done -> progress.accept(progress("verify", done, all))),
          done -> (done == all ? expired : some).accept(done));
    }
  }

  private static String progress(String work, long done, long all) {
    return "%s: %s of %s"
        .formatted(work, number(done), DisplayFormat.count(all, "period", "periods"));
  }

  private String nothingDue() {
    return "nothing is due" + next().map("; next is %s"::formatted).orElse("");
  }

  private Optional<String> next() {
    record Next(Instant at, BoardId board) {}
    return boards.all().stream()
        .flatMap(board -> duePeriods.nextClose(board).map(at -> new Next(at, board.id())).stream())
        .min(Comparator.comparing(Next::at))
        .map(next -> "%s at %s".formatted(next.board(), next.at()));
  }

  /** Closes what is due once, and counts the results. */
  private final class Round {
    private final ClosingCause cause;
    private final BusyRetry retry;
    private final Progress progress;
    private final List<String> failures = new ArrayList<>();
    private final List<String> held = new ArrayList<>();
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
              (board, count) ->
                  progress.accept(
                      ("%s of %s %s skipped, since the board is paused: 'palmares resume %2$s"
                              + " --reason TEXT' ends the pause")
                          .formatted(
                              DisplayFormat.count(count, "due period", "due periods"),
                              board,
                              count == 1 ? "is" : "are")));
      if (due.isEmpty()) {
        return new Result(
            filling > 0 ? Task.State.FAILED : Task.State.DONE, Result.verbatim(nothingDue()));
      }
      int left = closeAll(due, conditions);
      boolean failed = !failures.isEmpty() || left + forbidden > 0 || filling > 0;
      return new Result(
          failed ? Task.State.FAILED : held.isEmpty() ? Task.State.DONE : Task.State.HELD,
          Result.verbatim(lines(left)));
    }

    /** Reports the due periods that are skipped because an import has not ended; counts them. */
    private long reportFilling(List<PeriodId> due) {
      DueInImports filling = duePeriods.countDueInImports(due);
      if (filling.running() > 0) {
        progress.accept(
            DisplayFormat.count(
                filling.running(),
                "due period is skipped: an import fills it",
                "due periods are skipped: an import fills them"));
      }
      if (filling.stopped() > 0) {
        progress.accept(
            DisplayFormat.count(
                    filling.stopped(),
                    "due period is skipped: its import has not ended, and shows no sign of life",
                    "due periods are skipped: their imports have not ended, and show no sign of"
                        + " life")
                + "; run it again, or close what it has imported so far by --stopped-imports");
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
      progress.accept(
          progress("close", done, total)
              + (busy == 0 ? "" : ", %s held by others".formatted(number(busy))));
    }

    /** Counts the result, unless another process holds the period. */
    private boolean isBusy(PeriodId period, CompletableFuture<ClosingResult> closing) {
      try {
        ClosingResult closed = closing.join();
        switch (closed.outcome()) {
          case SETTLED -> settled++;
          case ALREADY_SETTLED -> settledByOthers++;
          case FAILED -> failures.add(line(closed.period().label(), closed.detail()));
          case HELD -> held.add(line(closed.period().label(), closed.detail()));
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
        ProblemException refused = e.getCause() == null ? null : ProblemException.of(e.getCause());
        // Perhaps its row could not be read, so only the id is known.
        failures.add(
            refused != null
                ? TerminalText.of(String.valueOf(refused.getMessage()))
                : line(
                    "period with id " + period,
                    NestedExceptionUtils.getMostSpecificCause(e).getMessage()));
      }
      return false;
    }

    private static String line(String period, @Nullable String detail) {
      return period + ": " + TerminalText.of("" + detail);
    }

    private List<String> lines(int left) {
      var lines = new ArrayList<String>();
      failures.forEach(failure -> lines.add("failed " + failure));
      held.forEach(line -> lines.add("held for approval: " + line));
      if (forbidden > 0) {
        lines.add(
            "%s may not do this any more; %s"
                .formatted(
                    cause.by(),
                    DisplayFormat.count(forbidden, "period is left", "periods are left")));
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "settled %s (%.1f a second), %,d failed, %,d left to others",
              DisplayFormat.count(settled, "period", "periods"),
              settled * 1e3 / Math.max(1, DisplayFormat.since(start).toMillis()),
              failures.size(),
              left));
      return lines;
    }
  }
}
