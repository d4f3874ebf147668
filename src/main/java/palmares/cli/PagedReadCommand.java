package palmares.cli;

import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import picocli.CommandLine.Mixin;

/** A command that prints a list in pages: of all boards, of one, or of a period. */
abstract class PagedReadCommand extends ReadCommand {
  @Mixin BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Mixin PageOptions pages = new PageOptions();

  PagedReadCommand(Session session, LaunchOptions launch) {
    super(session, launch);
  }

  @Override
  void check() {
    pages.check();
  }

  /** Reads a page of what the filter names; null for the usual length, and for the first page. */
  abstract Listing page(RunningApplication app, PageRequest page);

  @Override
  Listing read(RunningApplication app) {
    return pages.read(page -> page(app, page));
  }
}
