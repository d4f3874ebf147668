package palmares.cli;

import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.Amendments;
import palmares.operations.batches.Batches;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.outcome.Revision;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prepares an amendment of a settled period. */
@Command(
    name = "amend",
    description = {
      "Computes the next revision of a settled period: with the exclusions that are in force now,"
          + " the accepted late events, other rules, or corrected points.",
      "",
      "Shows whose rank and awards change. Nothing is paid and nothing changes until 'palmares"
          + " approve', which posts the differences only. 'palmares what-if' shows the same and"
          + " keeps nothing."
    },
    exitCodeList = {
      "0:nothing would change, and nothing is kept",
      "1:another process holds the period",
      "2:bad usage, or the period cannot be amended: nothing was changed",
      "3:prepared, and must be approved or rejected"
    },
    customSynopsis = {
      "palmares amend [OPTIONS] BOARD PERIOD --reason TEXT",
      "   or: palmares amend [OPTIONS] --exclusion IDS --reason TEXT"
    },
    footer = {
      "  palmares amend invites 2026-W47 --reason 'bots excluded'",
      "  palmares amend --exclusion 7 --reason 'bots excluded'",
      "  palmares amend invites 2026-W47 --points ann=1200 --reason 'double count, ticket 17'",
      "  palmares amend invites 2026-W47 --rules right.yml --reason 'the third prize was 300'"
    })
final class AmendCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

  @Option(
      names = "--exclusion",
      paramLabel = "IDS",
      description =
          "Amends every settled period that these exclusions touch, lifted or not: 7, or 7,9, or"
              + " 7-12 ('palmares exclusions' lists them). One approval posts all amendments.")
  private @Nullable String exclusions;

  @Mixin private AmendmentOptions options = new AmendmentOptions();
  @Mixin private Actor actor = new Actor();

  AmendCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (exclusions != null) {
      return amendMany(ids(exclusions));
    }
    int top = options.top();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("amend", boards)) {
      Period period = target.find(app, boards);
      var request = options.request(period.board(), actor.by(), actor.reason());
      Optional<Amendment> prepared = app.get(Amendments.class).prepare(period.id(), request);
      if (prepared.isEmpty()) {
        session.print(
            "nothing would change: revision %d of %s stays in force",
            period.revision(), period.label());
        return 0;
      }
      print(prepared.get(), period, top);
      return CloseCommand.EXIT_HELD;
    }
  }

  /**
   * Reads numbers and ranges of numbers.
   *
   * @throws UserError if a part is neither, or they are too many
   */
  private static SortedSet<Long> ids(String text) {
    var ids = new TreeSet<Long>();
    for (String part : text.split(",")) {
      if (!part.matches("\\d{1,18}(-\\d{1,18})?")) {
        throw UserError.badUsage(
            "--exclusion takes numbers such as 7, or 7,9, or 7-12, not '%s'".formatted(text));
      }
      String[] bounds = part.split("-");
      long last = Long.parseLong(bounds[bounds.length - 1]);
      for (long id = Long.parseLong(bounds[0]);
          id <= last && ids.size() <= Batches.MAX_EXCLUSIONS;
          id++) {
        ids.add(id);
      }
    }
    return ids;
  }

  private int amendMany(SortedSet<Long> ids) {
    if (target.isGiven() || options.isGiven()) {
      throw UserError.badUsage("--exclusion takes no BOARD, PERIOD, --rules, --points and --ties");
    }
    String by = actor.by();
    String reason = actor.reason();
    try (RunningApplication app = session.start("amend", session.boards())) {
      var work = new BatchWork(session, app);
      return work.run(work.batches().amend(ids, by, reason));
    }
  }

  private void print(Amendment amendment, Period period, int top) {
    AmendmentReport.of(amendment, top).forEach(session::print);
    Revision revision = amendment.revision();
    revision.heldFor().forEach(session::print);
    session.print(
        "not posted yet: 'palmares approve %1$s --revision %2$d%3$s --reason ...' posts it,"
                .formatted(
                    period.label(),
                    revision.number(),
                    revision.heldFor().isEmpty() ? "" : " --expect " + revision.digest())
            + " 'palmares reject %s --revision %d --reason ...' drops it"
                .formatted(period.label(), revision.number()));
  }
}
