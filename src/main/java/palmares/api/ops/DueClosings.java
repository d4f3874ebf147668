package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Expiry;
import palmares.settlement.closing.Sweep;

/** Closes all periods that are due, and retries those that other processes hold. */
@Component
class DueClosings {
  private static final int MAX_LISTED = 100;
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

  private final Catalogue boards;
  private final Sweep sweep;
  private final DuePeriods duePeriods;
  private final Periods periods;
  private final ClosingQueue queue;
  private final Expiry expiry;

  DueClosings(
      Catalogue boards,
      Sweep sweep,
      DuePeriods duePeriods,
      Periods periods,
      ClosingQueue queue,
      Expiry expiry) {
    this.boards = boards;
    this.sweep = sweep;
    this.duePeriods = duePeriods;
    this.periods = periods;
    this.queue = queue;
    this.expiry = expiry;
  }

  /** Says which periods would be closed. */
  Result plan() {
    sweep.prepare();
    List<PeriodId> due = duePeriods.dueOnDemand();
    if (due.isEmpty()) {
      return Result.done(nothingDue());
    }
    var lines = new ArrayList<String>();
    lines.add("%s periods would be closed".formatted(DisplayFormat.number(due.size())));
    due.stream().limit(MAX_LISTED).forEach(id -> lines.add("  " + periods.get(id).label()));
    if (due.size() > MAX_LISTED) {
      lines.add("  and %s more".formatted(DisplayFormat.number(due.size() - MAX_LISTED)));
    }
    return new Result(Task.State.DONE, lines);
  }

  /** Closes all, and removes expired periods from Redis. */
  Result close(String by, BusyRetry retry, Consumer<String> progress) {
    sweep.prepare();
    Result result =
        new Round(ClosingCause.unattended("palmares close --due", by), retry, progress).close();
    List<PeriodId> expirable = duePeriods.expirableOnDemand();
    if (!expirable.isEmpty()) {
      expiry.expire(expirable, done -> {});
    }
    return result;
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
    private final Consumer<String> progress;
    private final List<String> failures = new ArrayList<>();
    private final List<String> held = new ArrayList<>();
    private final long start = System.nanoTime();
    private long reported = System.nanoTime();
    private long settled;
    private long settledByOthers;

    Round(ClosingCause cause, BusyRetry retry, Consumer<String> progress) {
      this.cause = cause;
      this.retry = retry;
      this.progress = progress;
    }

    Result close() {
      List<PeriodId> due = duePeriods.dueOnDemand();
      long filling = duePeriods.countDueInImports();
      if (filling > 0) {
        progress.accept(
            ("%s due periods are skipped: an import fills them, or was killed less than 10"
                    + " seconds ago")
                .formatted(DisplayFormat.number(filling)));
      }
      duePeriods
          .countDueOnPausedBoards()
          .forEach(
              (board, count) ->
                  progress.accept(
                      ("%s due periods of %s are skipped, since the board is paused: 'palmares"
                              + " resume %2$s --reason TEXT' ends the pause")
                          .formatted(DisplayFormat.number(count), board)));
      if (due.isEmpty()) {
        return new Result(filling > 0 ? Task.State.FAILED : Task.State.DONE, List.of(nothingDue()));
      }
      int left = closeAll(due);
      boolean failed = !failures.isEmpty() || left > 0 || filling > 0;
      return new Result(
          failed ? Task.State.FAILED : held.isEmpty() ? Task.State.DONE : Task.State.HELD,
          lines(left));
    }

    /** Returns how many periods other processes still hold after the last attempt. */
    private int closeAll(List<PeriodId> due) {
      var left = new ArrayList<>(due);
      retry.until(
          List::isEmpty,
          () -> {
            List<PeriodId> busy = attempt(left, due.size());
            left.clear();
            left.addAll(busy);
            return left;
          });
      return left.size();
    }

    /** Returns the periods that other processes hold. */
    private List<PeriodId> attempt(List<PeriodId> attempted, int total) {
      var busy = new ArrayList<PeriodId>();
      List<CompletableFuture<ClosingResult>> closings = queue.close(attempted, cause);
      for (int i = 0; i < closings.size(); i++) {
        if (isBusy(attempted.get(i), closings.get(i))) {
          busy.add(attempted.get(i));
        }
        report(total, busy.size());
      }
      return busy;
    }

    private void report(int total, int busy) {
      if (DisplayFormat.since(reported).compareTo(PROGRESS_INTERVAL) < 0) {
        return;
      }
      reported = System.nanoTime();
      progress.accept(
          "close: %s of %s periods%s"
              .formatted(
                  DisplayFormat.number(settled + settledByOthers + failures.size() + held.size()),
                  DisplayFormat.number(total),
                  busy == 0 ? "" : ", %d held by others".formatted(busy)));
    }

    /** Counts the result, unless another process holds the period. */
    private boolean isBusy(PeriodId period, CompletableFuture<ClosingResult> closing) {
      try {
        ClosingResult closed = closing.join();
        switch (closed.outcome()) {
          case SETTLED -> settled++;
          case ALREADY_SETTLED -> settledByOthers++;
          case FAILED -> failures.add(line(closed.period().label(), closed.detail()));
          case WAITS -> held.add(line(closed.period().label(), closed.detail()));
          case BUSY, LOST -> {
            return true;
          }
        }
      } catch (CompletionException e) {
        // Perhaps its row could not be read, so only the id is known.
        failures.add(
            line(
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
      lines.add(
          String.format(
              Locale.ROOT,
              "settled %,d periods (%.1f a second), %,d failed, %,d left to others",
              settled,
              settled * 1e3 / Math.max(1, DisplayFormat.since(start).toMillis()),
              failures.size(),
              left));
      return lines;
    }
  }
}
