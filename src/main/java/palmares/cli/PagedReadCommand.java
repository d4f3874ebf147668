package palmares.cli;

import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.Client;
import picocli.CommandLine.Mixin;

/** A command that prints a list in pages: of all boards, of one, or of a period. */
abstract class PagedReadCommand extends ReadCommand {
  @Mixin BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Mixin PageOptions pages = new PageOptions();

  @Override
  void check() {
    pages.check();
  }

  /** Reads a page of what the filter names; null for the usual length, and for the first page. */
  abstract Listing page(Client client, PageRequest page);

  @Override
  Listing read(Client client) {
    return pages.read(page -> page(client, page));
  }
}
