package palmares.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;
import palmares.rules.payout.RewardRule;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Outcome;
import palmares.settlement.closing.Closings;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Closes one period and prints each step. */
record SingleClosing(Session session, Arguments arguments, BusyRetry retry) {
  private static final ClosingCause CAUSE = new ClosingCause("palmares close", Actor.self());

  /**
   * Closes the period.
   *
   * @return the exit code
   * @throws UserError if the period cannot be closed, fails, or another process holds it
   */
  int close(String board, String period) {
    Period found = find(board, period);
    if (found.state().isSettled()) {
      return settledBefore(found);
    }
    long start = System.nanoTime();
    ClosingResult closed = retry.until(SingleClosing::isOver, () -> attempt(found));
    return switch (closed.outcome()) {
      case SETTLED -> settled(closed.period(), DisplayFormat.since(start));
      case ALREADY_SETTLED -> settledBefore(closed.period());
      case FAILED ->
          throw UserError.failed(
              "%1$s is not settled: %2$s; 'palmares close %1$s' retries it",
              found.label(), closed.detail());
      case WAITS -> {
        printHeld(session, arguments.app(), closed);
        yield CloseCommand.EXIT_HELD;
      }
      case BUSY, LOST ->
          throw UserError.failed(
              "%s is held by another process that closes it: 'palmares runs %s' shows which",
              found.label(), found.board());
    };
  }

  private <T> T get(Class<T> type) {
    return arguments.app().get(type);
  }

  private ClosingResult attempt(Period period) {
    long start = System.nanoTime();
    ClosingResult closed =
        get(Closings.class)
            .close(
                period.id(), CAUSE, step -> session.note(step(step, DisplayFormat.since(start))));
    if (!isOver(closed)) {
      session.note("%s is held by another process; retrying until its lease ends", period.label());
    }
    return closed;
  }

  private static String step(String step, Duration elapsed) {
    return String.format(Locale.ROOT, "  %6.2f s  %s", elapsed.toMillis() / 1e3, step);
  }

  private static boolean isOver(ClosingResult closed) {
    return closed.outcome() != Outcome.BUSY && closed.outcome() != Outcome.LOST;
  }

  private int settled(Period period, Duration took) {
    var population = period.population();
    session.print(
        "settled %s: %,d members, in %s",
        period.label(),
        population == null ? 0 : population.members(),
        DisplayFormat.duration(took));
    return 0;
  }

  private int settledBefore(Period period) {
    String since =
        Optional.ofNullable(arguments.summary(period.board(), period.name().value()).settledAt())
            .map(at -> DisplayFormat.time(at, get(BoardDefinitions.class).of(period).zone()))
            .orElse("a moment ago");
    session.print("%s is settled since %s; nothing was changed", period.label(), since);
    return 0;
  }

  /**
   * Finds a period that is due, held, rejected or settled already.
   *
   * @throws UserError if there is none, or it is not due
   */
  private Period find(String boardWord, String periodWord) {
    BoardId board = arguments.board(boardWord);
    Period period =
        Arguments.name(periodWord)
            .flatMap(name -> get(Periods.class).find(board, name).or(() -> create(board, name)))
            .orElseThrow(() -> arguments.unknownPeriod(board, periodWord));
    if (!period.state().isSettled() && !period.state().needsPerson()) {
      requireDue(period);
    }
    return period;
  }

  private void requireDue(Period period) {
    Instant due = period.closesAt();
    if (due == null) {
      throw neverCloses(period.label());
    }
    if (get(Clock.class).instant().isBefore(due)) {
      ZoneId zone = get(BoardDefinitions.class).of(period).zone();
      throw notOver(period.label(), period.slot().endsAt(), due, zone);
    }
    get(DuePeriods.class).requireNotPaused(period);
    if (!get(DuePeriods.class).dueOnDemand().contains(period.id())) {
      throw UserError.failed(
          "%s is being filled by an import: close it when the import has ended, or 30 seconds"
              + " after it was killed",
          period.label());
    }
  }

  /** Creates the row of a period without events, if it ended after the board's first period. */
  private Optional<Period> create(BoardId id, PeriodName name) {
    Optional<Board> known = arguments.boards().find(id);
    Optional<Slot> slot = known.flatMap(board -> board.calendar().named(name));
    if (known.isEmpty() || slot.isEmpty()) {
      return Optional.empty();
    }
    Board board = known.get();
    String label = id + " " + name;
    if (!board.calendar().closes()) {
      throw neverCloses(label);
    }
    Instant ends = slot.get().endsAt();
    if (get(Clock.class).instant().isBefore(ends)) {
      throw notOver(label, ends, ends.plus(board.grace()), board.zone());
    }
    get(PeriodTimeline.class).prepare(board);
    return Optional.of(
        get(Periods.class)
            .find(id, name)
            .orElseThrow(() -> UserError.badInput(neverOpened(board).formatted(label))));
  }

  private static String neverOpened(Board board) {
    return board.adoption() == null
        ? "%s was never opened: it has no events, and there is nothing to settle"
        : "%s ended before a server first saw this board, and is not adopted";
  }

  private static UserError neverCloses(String label) {
    return UserError.badInput("%s never closes: its board has no end", label);
  }

  private static UserError notOver(String label, Instant ends, Instant due, ZoneId zone) {
    return UserError.badInput(
        "%s is not over yet: it ends %s, and with its grace it is due %s",
        label, DisplayFormat.time(ends, zone), DisplayFormat.time(due, zone));
  }

  /** Prints why a closing is held or rejected, and the commands that a person can use. */
  static void printHeld(Session session, RunningApplication app, ClosingResult closed) {
    Period period = closed.period();
    String label = period.label();
    if (period.state() == PeriodState.REJECTED) {
      session.print(
          "%1$s was rejected, and nothing is paid: 'palmares restart %1$s --reason TEXT' computes"
              + " its ranks and awards again",
          label);
      return;
    }
    Revision held = app.get(Revisions.class).find(period.id(), Revision.FIRST).orElseThrow();
    boolean holdsTies =
        app.get(BoardDefinitions.class).of(period).payout().rules().stream()
            .anyMatch(RewardRule::holdsTies);
    session.print(
        "%s is held for approval, and nothing is paid: %s",
        label, TerminalText.of("" + closed.detail()));
    session.print(
        "see 'palmares preview %1$s' and 'palmares report %1$s --revision 1'; then", label);
    session.print(
        "  palmares approve %s --expect %s --reason TEXT%s",
        label, held.digest(), holdsTies ? " [--ties each|share|order, for ties]" : "");
    session.print("  palmares reject %s --reason TEXT", label);
  }
}
