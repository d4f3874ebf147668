package palmares.cli;

import java.time.Duration;
import java.util.Locale;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.period.Period;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Outcome;
import palmares.settlement.closing.Closings;

/** Closes one period, step by step before the eyes of whoever asked. */
record SingleClosing(
    Terminal terminal, DuePeriod due, Closings closings, BusyRetry waiting, HoldNotice hold) {
  private static final ClosingCause CAUSE = new ClosingCause("palmares close", Actor.self());

  /** The exit code. */
  int close(String board, String period) {
    Period found = due.find(board, period);
    if (found.state().isSettled()) {
      return settledBefore(found);
    }
    long start = System.nanoTime();
    ClosingResult closed = waiting.until(SingleClosing::isOver, () -> attempt(found));
    return switch (closed.outcome()) {
      case SETTLED -> settled(closed.period(), DisplayFormat.since(start));
      case ALREADY_SETTLED -> settledBefore(closed.period());
      case FAILED ->
          throw UserError.failed(
              "%s is not settled: %s; 'palmares close %s' tries again"
                  .formatted(found.label(), closed.detail(), found.label()));
      case WAITS -> hold.print(closed);
      case BUSY, LOST ->
          throw UserError.failed(
              "%s is held by another process that is closing it: 'palmares runs %s' shows which"
                  .formatted(found.label(), found.board()));
    };
  }

  private ClosingResult attempt(Period period) {
    long start = System.nanoTime();
    ClosingResult closed =
        closings.close(
            period.id(), CAUSE, step -> terminal.note(step(step, DisplayFormat.since(start))));
    if (!isOver(closed)) {
      terminal.note(
          "%s is held by another process; trying again when its lease may have ended"
              .formatted(period.label()));
    }
    return closed;
  }

  private static String step(String step, Duration after) {
    return String.format(Locale.ROOT, "  %6.2f s  %s", after.toMillis() / 1e3, step);
  }

  private static boolean isOver(ClosingResult closed) {
    return closed.outcome() != Outcome.BUSY && closed.outcome() != Outcome.LOST;
  }

  private int settled(Period period, Duration took) {
    var population = period.population();
    terminal.print(
        "settled %s: %s members, in %s"
            .formatted(
                period.label(),
                DisplayFormat.number(population == null ? 0 : population.members()),
                DisplayFormat.duration(took)));
    return 0;
  }

  private int settledBefore(Period period) {
    terminal.print(
        "%s is settled since %s; nothing was changed"
            .formatted(period.label(), due.settledSince(period)));
    return 0;
  }
}
