package palmares.cli;

import palmares.api.ops.HistoryResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what all boards paid and closed in a month. */
@Command(
    name = "month",
    description = {
      "Shows what each board paid in a month, by currency, and what became of its periods.",
      "",
      "A payment counts in the month in which it was posted, and so does that of an amendment. Net"
          + " is what members got less what they gave back. The board '(all)' is the sum of all"
          + " boards. A held or unsettled period counts in the month in which it was due."
    },
    exitCodeList = {"0:all is shown", "1:it could not be written", "2:bad usage"},
    footer = {
      "  palmares month 2026-11",
      "  palmares month 2026-11 --zone Europe/Berlin --format csv --out november.csv",
      "  palmares month 2026-11 --periods --format json"
    })
final class MonthCommand extends ReadCommand {
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

  MonthCommand(Session session) {
    super(session);
  }

  @Override
  Listing read(Client client) {
    HistoryResource history = client.get(HistoryResource.class);
    return periods ? history.monthPeriods(month, zone) : history.month(month, zone);
  }
}
