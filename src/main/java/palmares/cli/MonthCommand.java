package palmares.cli;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.Output.Format;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.MonthReport.MonthPeriods;
import palmares.operations.report.MonthReport.MonthSum;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what all boards paid and closed in a month. */
@Command(
    name = "month",
    description = {
      "Shows what each board paid in a month, by currency, and what became of its periods.",
      "",
      "A payment counts in the month in which it was posted, and so does that of an amendment. Net"
          + " is what members got less what they gave back. The board '(all)' is the sum of"
          + " all boards. A held or unsettled period counts in the month in which it was due."
    },
    exitCodeList = {"0:all is shown", "1:it could not be written", "2:bad usage"},
    footer = {
      "  palmares month 2026-11",
      "  palmares month 2026-11 --zone Europe/Berlin --format csv --out november.csv",
      "  palmares month 2026-11 --periods --format json"
    })
final class MonthCommand implements Callable<Integer> {
  private static final OutputTable<MonthSum> SUMS =
      new OutputTable<MonthSum>()
          .text("board", sum -> sum.board() == null ? "(all)" : sum.board())
          .text("currency", MonthSum::currency)
          .number("outcomes", MonthSum::outcomes)
          .number("paid", MonthSum::paid)
          .number("taken_back", MonthSum::takenBack)
          .number("net", MonthSum::net)
          .number("owed", MonthSum::owed)
          .number("written_off", MonthSum::writtenOff)
          .number("restored", MonthSum::restored);

  private static final OutputTable<MonthPeriods> PERIODS =
      new OutputTable<MonthPeriods>()
          .text("board", MonthPeriods::board)
          .number("closed", MonthPeriods::closed)
          .number("amended", MonthPeriods::amended)
          .number("held", MonthPeriods::held)
          .number("unsettled", MonthPeriods::unsettled);

  private final Session session;

  @Parameters(index = "0", paramLabel = "MONTH", description = "The month, such as 2026-11.")
  private String month = "";

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "The time zone of the month's boundaries (default: UTC).")
  private String zone = "UTC";

  @Option(
      names = "--periods",
      description = "The periods of each board, instead of the sums; a table has both.")
  private boolean periods;

  @Mixin private Output output = new Output();

  MonthCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    var asked = new Month(month(), zone());
    try (RunningApplication app = session.startWithoutRedis("month", session.boards())) {
      MonthReport report = app.get(MonthReport.class);
      List<MonthSum> sums = report.sums(asked);
      List<MonthPeriods> counts = report.periods(asked);
      output.write(
          session,
          writer -> {
            if (!periods) {
              SUMS.write(output, writer, "nothing was paid", sums::forEach);
            }
            if (periods || output.format() == Format.TABLE) {
              PERIODS.write(output, writer, "no period closed", counts::forEach);
            }
          });
    }
    return 0;
  }

  private YearMonth month() {
    try {
      return YearMonth.parse(month);
    } catch (DateTimeException e) {
      throw UserError.badUsage("'%s' is not a month such as 2026-11", month);
    }
  }

  private ZoneId zone() {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw UserError.badUsage("'%s' is not a time zone such as Europe/Berlin", zone);
    }
  }
}
