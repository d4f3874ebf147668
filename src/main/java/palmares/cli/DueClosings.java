package palmares.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;

/** Closes all periods that are due, and retries those that other processes hold. */
final class DueClosings {
  private static final ClosingCause CAUSE =
      ClosingCause.unattended("palmares close --due", Actor.self());
  static final Progress.Unit PERIODS = new Progress.Unit(" periods", 1);

  private final Session session;
  private final Catalogue boards;
  private final DuePeriods duePeriods;
  private final ClosingQueue queue;
  private final BusyRetry retry;
  private final List<String> failures = new ArrayList<>();
  private final List<String> held = new ArrayList<>();
  private long settled;
  private long settledByOthers;

  DueClosings(
      Session session,
      Catalogue boards,
      DuePeriods duePeriods,
      ClosingQueue queue,
      BusyRetry retry) {
    this.session = session;
    this.boards = boards;
    this.duePeriods = duePeriods;
    this.queue = queue;
    this.retry = retry;
  }

  /**
   * Closes all.
   *
   * @return the exit code
   */
  int close() {
    List<PeriodId> due = duePeriods.dueOnDemand();
    long filling = duePeriods.countDueInImports();
    if (filling > 0) {
      session.note(
          "%,d due periods are skipped: an import fills them, or was killed less than 30 seconds"
              + " ago",
          filling);
    }
    duePeriods
        .countDueOnPausedBoards()
        .forEach(
            (board, periods) ->
                session.note(
                    "%,d due periods of %s are skipped, since the board is paused: 'palmares resume"
                        + " %2$s --reason TEXT' ends the pause",
                    periods, board));
    if (due.isEmpty()) {
      session.print("nothing is due" + next().map("; next is %s"::formatted).orElse(""));
      return filling > 0 ? UserError.FAILED : 0;
    }
    long start = System.nanoTime();
    List<PeriodId> left = closeAll(due);
    printResult(left.size(), DisplayFormat.since(start));
    if (!failures.isEmpty() || !left.isEmpty() || filling > 0) {
      return UserError.FAILED;
    }
    return held.isEmpty() ? 0 : CloseCommand.EXIT_HELD;
  }

  /** Returns the periods that other processes still hold after the last attempt. */
  private List<PeriodId> closeAll(List<PeriodId> due) {
    try (Progress progress = Progress.of(session.terminal(), "close", PERIODS, due.size())) {
      var left = new ArrayList<>(due);
      return retry.until(
          List::isEmpty,
          () -> {
            List<PeriodId> busy = attempt(left, progress);
            left.clear();
            left.addAll(busy);
            return left;
          });
    }
  }

  /** Returns the periods that other processes hold. */
  private List<PeriodId> attempt(List<PeriodId> periods, Progress progress) {
    var busy = new ArrayList<PeriodId>();
    List<CompletableFuture<ClosingResult>> closings = queue.close(periods, CAUSE);
    for (int i = 0; i < closings.size(); i++) {
      if (isBusy(periods.get(i), closings.get(i))) {
        busy.add(periods.get(i));
      }
      progress.at(
          settled + settledByOthers + failures.size() + held.size(),
          busy.isEmpty() ? "" : busy.size() + " held by others");
    }
    return busy;
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

  private void printResult(int left, Duration took) {
    failures.forEach(failure -> session.print("failed " + failure));
    held.forEach(line -> session.print("held for approval: " + line));
    session.print(
        String.format(
            Locale.ROOT,
            "settled %,d periods (%.1f a second), %,d failed, %,d left to others",
            settled,
            settled * 1e3 / Math.max(1, took.toMillis()),
            failures.size(),
            left));
  }

  private Optional<String> next() {
    record Next(Instant at, BoardId board) {}

    return boards.all().stream()
        .flatMap(board -> duePeriods.nextClose(board).map(at -> new Next(at, board.id())).stream())
        .min(Comparator.comparing(Next::at))
        .map(next -> "%s at %s".formatted(next.board(), next.at()));
  }
}
