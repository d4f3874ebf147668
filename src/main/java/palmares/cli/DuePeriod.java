package palmares.cli;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.UserError;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.Slot;

/** Finds the period that someone wants to close, or says why it cannot be closed. */
record DuePeriod(
    ArgumentLookup names,
    Periods periods,
    PeriodTimeline timeline,
    BoardDefinitions definitions,
    DuePeriods duePeriods,
    Clock clock) {

  /**
   * A period that is due, or settled already.
   *
   * @throws UserError if there is none such
   */
  Period find(String boardWord, String periodWord) {
    BoardId board = names.board(boardWord);
    Period period =
        ArgumentLookup.name(periodWord)
            .flatMap(name -> periods.find(board, name).or(() -> made(board, name)))
            .orElseThrow(() -> names.unknownPeriod(board, periodWord));
    if (!period.state().isSettled() && !period.state().needsPerson()) {
      requireDue(period);
    }
    return period;
  }

  /** When a settled period was settled. */
  String settledSince(Period period) {
    return names
        .history()
        .find(period.board(), period.name())
        .flatMap(line -> Optional.ofNullable(line.settledAt()))
        .map(at -> DisplayFormat.time(at, definitions.of(period).zone()))
        .orElse("a moment ago");
  }

  private void requireDue(Period period) {
    Instant due = period.closesAt();
    if (due == null) {
      throw neverCloses(period.label());
    }
    if (clock.instant().isBefore(due)) {
      throw notOver(period.label(), period.slot().endsAt(), due, definitions.of(period).zone());
    }
    if (!duePeriods.dueOnDemand().contains(period.id())) {
      throw UserError.failed(
          "%s is being filled by an import: close it when that has ended, or 30 seconds after it"
                  .formatted(period.label())
              + " was killed");
    }
  }

  /** Nothing has happened in it so far; its row is made if it ended after the board's first. */
  private Optional<Period> made(BoardId id, PeriodName name) {
    Optional<Board> known = names.boards().find(id);
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
    if (clock.instant().isBefore(ends)) {
      throw notOver(label, ends, ends.plus(board.grace()), board.zone());
    }
    timeline.prepare(board);
    return Optional.of(
        periods
            .find(id, name)
            .orElseThrow(() -> UserError.badInput(neverOpened(board).formatted(label))));
  }

  private static String neverOpened(Board board) {
    return board.adoption() == null
        ? "%s was never opened: no event came in it, and there is nothing to settle"
        : "%s ended before a server first saw this board, and is not adopted";
  }

  private static UserError neverCloses(String label) {
    return UserError.badInput("%s never closes: its board counts on for ever".formatted(label));
  }

  private static UserError notOver(String label, Instant ends, Instant due, ZoneId zone) {
    return UserError.badInput(
        "%s is not over yet: it ends %s, and with its grace it is due %s"
            .formatted(label, DisplayFormat.time(ends, zone), DisplayFormat.time(due, zone)));
  }
}
