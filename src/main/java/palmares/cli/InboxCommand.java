package palmares.cli;

import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists what needs a person. */
@Command(
    name = "inbox",
    description = {
      "Lists what needs a person, the oldest first, each with the command that may help.",
      "",
      "These are periods that are held, rejected, failed or overdue, undecided amendments and late"
          + " events, quarantined journal entries, batches, targets whose deliveries have stopped,"
          + " and differences of the last nightly verification; and live boards that are lost or"
          + " disagree with their journal, missing lists, an outage of Redis, and a scheduler or"
          + " nightly verification that does not run. With a BOARD, only what concerns it alone."
    },
    exitCodeList = {"0:listed", "2:bad usage, or an unknown board"},
    footer = {"  palmares inbox", "  palmares inbox invites --format json"})
final class InboxCommand extends ReadCommand {
  @Mixin private BoardFilter filter = new BoardFilter();

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  void check() {
    pages.check();
  }

  @Override
  Listing read(Client client) {
    return pages.read(page -> client.get(InstallationResource.class).inbox(filter.board(), page));
  }
}
