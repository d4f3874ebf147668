package palmares.cli;

import picocli.CommandLine.Parameters;

/** The BOARD and the PERIOD that a command is about. */
final class PeriodArgument {
  /** What a PERIOD argument takes, as the help says it. */
  static final String NAME = "The period's name, such as 2026-11-20, 2026-W47 or 2026-11.";

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(index = "1", paramLabel = "PERIOD", description = NAME)
  private String period = "";

  String board() {
    return board;
  }

  String period() {
    return period;
  }
}
