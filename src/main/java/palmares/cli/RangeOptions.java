package palmares.cli;

import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import palmares.operations.batches.PeriodRange;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Option;

/** The options that select many periods. */
final class RangeOptions {
  @Option(
      names = "--from",
      paramLabel = "DATE",
      description =
          "All periods that start on that day or later, in the board's zone, or in UTC for all"
              + " boards; or from a time such as 2026-11-20T10:00:00Z.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "DATE",
      description = "All periods that start before that day, or that time.")
  private @Nullable String to;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only periods in this state, or 'failed' for those whose last closing failed.")
  private @Nullable String state;

  /** Whether the call selects a range. */
  boolean isGiven() {
    return from != null || to != null || state != null;
  }

  /** The range that is selected, of a board or of all. */
  PeriodRange range(@Nullable BoardId board, Catalogue boards) {
    ZoneId zone =
        board == null ? ZoneOffset.UTC : boards.find(board).map(Board::zone).orElse(ZoneOffset.UTC);
    return new PeriodRange(
        board, TimeArgument.of("--from", from, zone), TimeArgument.of("--to", to, zone), state);
  }
}
