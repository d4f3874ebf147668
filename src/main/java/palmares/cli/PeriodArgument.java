package palmares.cli;

import palmares.cli.launch.RunningApplication;
import palmares.operations.report.PeriodHistory;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Parameters;

/** The period that a command is about. */
final class PeriodArgument {
  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(
      index = "1",
      paramLabel = "PERIOD",
      description = "The period's name, as 2026-11-20, 2026-W47 or 2026-11.")
  private String period = "";

  /** Its row; a complaint if there is none of that name. */
  Period find(RunningApplication app, Catalogue boards) {
    var names = new ArgumentLookup(boards, app.get(PeriodHistory.class));
    BoardId id = names.board(board);
    return ArgumentLookup.name(period)
        .flatMap(name -> app.get(Periods.class).find(id, name))
        .orElseThrow(() -> names.unknownPeriod(id, period));
  }
}
