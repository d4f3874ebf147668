package palmares.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingQueue;
import palmares.settlement.closing.ClosingResult;

/** Closes whatever is due, and waits a while for what others hold. */
final class DueClosings {
  private static final ClosingCause CAUSE =
      ClosingCause.unattended("palmares close --due", Actor.self());
  static final Progress.Unit PERIODS = new Progress.Unit(" periods", 1);

  private final Terminal terminal;
  private final Catalogue boards;
  private final DuePeriods duePeriods;
  private final ClosingQueue queue;
  private final BusyRetry waiting;
  private final List<String> failures = new ArrayList<>();
  private long settled;
  private long settledByOthers;
  private final List<String> forPersons = new ArrayList<>();

  DueClosings(
      Terminal terminal,
      Catalogue boards,
      DuePeriods duePeriods,
      ClosingQueue queue,
      BusyRetry waiting) {
    this.terminal = terminal;
    this.boards = boards;
    this.duePeriods = duePeriods;
    this.queue = queue;
    this.waiting = waiting;
  }

  /** The exit code. */
  int close() {
    List<PeriodId> due = duePeriods.dueOnDemand();
    long filling = duePeriods.countDueInImports();
    if (filling > 0) {
      terminal.note(
          "%s due periods are left alone: an import is filling them, or was killed a moment ago"
              .formatted(DisplayFormat.number(filling)));
    }
    if (due.isEmpty()) {
      terminal.print("nothing is due" + next().map("; next is %s"::formatted).orElse(""));
      return filling > 0 ? UserError.FAILED : 0;
    }
    long start = System.nanoTime();
    List<PeriodId> left = closeAll(due);
    conclude(left.size(), DisplayFormat.since(start));
    if (!failures.isEmpty() || !left.isEmpty() || filling > 0) {
      return UserError.FAILED;
    }
    return forPersons.isEmpty() ? 0 : CloseCommand.WAITS;
  }

  /** What others still hold in the end. */
  private List<PeriodId> closeAll(List<PeriodId> due) {
    try (Progress progress = Progress.of(terminal, "close", PERIODS, due.size())) {
      var left = new ArrayList<>(due);
      return waiting.until(
          List::isEmpty,
          () -> {
            List<PeriodId> held = attempt(left, progress);
            left.clear();
            left.addAll(held);
            return left;
          });
    }
  }

  /** Those that others hold. */
  private List<PeriodId> attempt(List<PeriodId> periods, Progress progress) {
    var held = new ArrayList<PeriodId>();
    List<CompletableFuture<ClosingResult>> closings = queue.close(periods, CAUSE);
    for (int i = 0; i < closings.size(); i++) {
      if (isHeld(periods.get(i), closings.get(i))) {
        held.add(periods.get(i));
      }
      progress.at(
          settled + settledByOthers + failures.size() + forPersons.size(),
          held.isEmpty() ? "" : held.size() + " held by others");
    }
    return held;
  }

  /** Counts how the closing ended, unless others hold the period. */
  private boolean isHeld(PeriodId period, CompletableFuture<ClosingResult> closing) {
    try {
      ClosingResult closed = closing.join();
      switch (closed.outcome()) {
        case SETTLED -> settled++;
        case ALREADY_SETTLED -> settledByOthers++;
        case FAILED -> fail(closed.period().label(), closed.detail());
        case WAITS -> waiting(closed);
        case BUSY, LOST -> {
          return true;
        }
      }
    } catch (CompletionException e) {
      // Its row may be what could not be read: only the id is sure.
      fail("period with id " + period, NestedExceptionUtils.getMostSpecificCause(e).getMessage());
    }
    return false;
  }

  private void waiting(ClosingResult closed) {
    forPersons.add(
        "%s: %s".formatted(closed.period().label(), TerminalText.of("" + closed.detail())));
  }

  private void fail(String period, @Nullable String reason) {
    failures.add(period + ": " + TerminalText.of("" + reason));
  }

  private void conclude(int left, Duration took) {
    failures.forEach(failure -> terminal.print("failed " + failure));
    forPersons.forEach(waits -> terminal.print("waits for a person: " + waits));
    terminal.print(
        String.format(
            Locale.ROOT,
            "settled %,d periods (%.1f a second), %,d failed, %,d left to others",
            settled,
            settled * 1e3 / Math.max(1, took.toMillis()),
            failures.size(),
            left));
  }

  private Optional<String> next() {
    return boards.all().stream()
        .flatMap(
            board ->
                duePeriods.nextClose(board).map(at -> new Next(at, board.id().value())).stream())
        .min((a, b) -> a.at().compareTo(b.at()))
        .map(next -> "%s at %s".formatted(next.board(), next.at()));
  }

  private record Next(Instant at, String board) {}
}
