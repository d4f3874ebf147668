package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.terminal.UserError;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Parameters;

/** The optional BOARD that limits what a command shows or does. */
class BoardFilter {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board (default: all boards).")
  private @Nullable String board;

  boolean named() {
    return board != null;
  }

  /**
   * Finds the board.
   *
   * @return null if the call names none
   * @throws UserError if there is none of that name
   */
  @Nullable BoardId board(Arguments arguments) {
    return board == null ? null : arguments.board(board);
  }

  /** An optional BOARD and, with it, an optional PERIOD. */
  static final class WithPeriod extends BoardFilter {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "PERIOD",
        description = "Only this period of the board.")
    private @Nullable String period;

    /** Whether the call names a board. */
    boolean isGiven() {
      return named();
    }

    /**
     * Finds the period.
     *
     * @throws UserError if the call does not name both, or there is none of that name
     */
    Period find(RunningApplication app, Catalogue boards) {
      var arguments = new Arguments(boards, app);
      BoardId id = board(arguments);
      if (id == null || period == null) {
        throw UserError.badUsage("name a BOARD and a PERIOD");
      }
      return arguments.period(id, period);
    }

    /** The period's name as it was given; null if the call names none. */
    @Nullable String period() {
      return period;
    }
  }
}
