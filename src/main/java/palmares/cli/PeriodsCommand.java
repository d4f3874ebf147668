package palmares.cli;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Sentence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists periods, or shows one. */
@Command(
    name = "periods",
    description = {
      "Lists periods, the latest first: their state, who works on them, why a closing failed, and"
          + " what a person must do next. With a PERIOD, shows that one and its ETag."
    },
    exitCodeList = {"0:listed", "2:bad usage, or an unknown board or period"},
    footer = {
      "  palmares periods --attention",
      "  palmares periods invites --state settled --from 2026-01-01 --format csv"
    })
final class PeriodsCommand extends PagedReadCommand {

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only periods in this state; upcoming are those that have not begun.")
  private @Nullable String state;

  @Mixin private StartRange range = new StartRange();

  @Option(
      names = "--attention",
      description = "Only periods that a person should look at: failed, held, rejected, overdue.")
  private boolean attention;

  @Option(names = "--etag", description = "Prints only the ETag of the period, for --if-match.")
  private boolean etag;

  PeriodsCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    super.check();
    if (etag && filter.period() == null) {
      throw UserError.badUsage("--etag needs a BOARD and a PERIOD");
    }
  }

  @Override
  Listing page(Client client, PageRequest page) {
    return client
        .get(PeriodResource.class)
        .list(filter.board(), state, range.from(), range.to(), attention, page);
  }

  @Override
  Listing read(Client client) {
    String board = filter.board();
    String period = filter.period();
    if (board == null || period == null) {
      return super.read(client);
    }
    var found = client.get(PeriodResource.class).get(board, period);
    String tag = found.getHeaders().getETag();
    Listing whole = Objects.requireNonNull(found.getBody());
    return etag
        ? Listing.text(tag + "\n")
        : whole.noted(List.of(Sentence.verbatim("ETag: " + tag)));
  }
}
