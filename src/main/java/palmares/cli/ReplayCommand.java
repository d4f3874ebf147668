package palmares.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.api.ops.PayoutResource;
import palmares.api.ops.PayoutResource.ReplayRequest;
import palmares.cli.launch.Client;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what other rules would have cost. */
@Command(
    name = "replay",
    description = {
      "Says what other rules would have paid for the settled periods of a board, next to what was"
          + " paid: in all, by month and by rule, who would have got more or less, and which"
          + " budgets would have held them. Writes nothing.",
      "",
      "Amended periods are compared in their revision in force. Periods that the rules do not fit"
          + " are listed with the reason."
    },
    exitCodeList = {"0:shown", "2:bad usage, or no period of the range is settled"},
    footer = {
      "  palmares replay invites --prizes new.yml",
      "  palmares replay invites --prizes new.yml --from 2026-01-01 --to 2026-07-01 --format csv"
    })
final class ReplayCommand extends ReadCommand {
  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's name.")
  private String board = "";

  @Option(
      names = "--prizes",
      required = true,
      paramLabel = "FILE",
      description = "A board file, of which only rewards and payout may differ.")
  private Path prizes = Path.of("");

  @Mixin private StartRange range = new StartRange();

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "How many members to name who would get more, and less (default: 10).")
  private @Nullable Integer top;

  @Override
  void check() {
    Arguments.atLeast(1, "--top", top);
  }

  @Override
  Listing read(Client client) {
    return client
        .get(PayoutResource.class)
        .replay(board, new ReplayRequest(Arguments.content(prizes), range.from(), range.to(), top));
  }
}
