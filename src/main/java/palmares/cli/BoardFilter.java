package palmares.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.CommandSentences.Missing;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Parameters;

/** The optional BOARD that limits what a command shows or does. */
class BoardFilter {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board (default: all boards).")
  private @Nullable String board;

  /** The board as it was given; null if the call names none. */
  @Nullable String board() {
    return board;
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
      return board() != null;
    }

    /**
     * Both, as they were given.
     *
     * @throws UserError if one is missing
     */
    Named required() {
      String board = board();
      if (board == null || period == null) {
        throw UserError.badUsage(new Missing(List.of("BOARD", "PERIOD")));
      }
      return new Named(board, period);
    }

    /** A board and a period of it. */
    record Named(String board, String period) {}

    /** The period's name as it was given; null if the call names none. */
    @Nullable String period() {
      return period;
    }
  }
}
