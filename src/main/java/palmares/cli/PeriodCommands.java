package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.HistoryResource;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Sentence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that read periods: what they are, would pay, have done and rest on. */
final class PeriodCommands {
  private PeriodCommands() {}

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
  static final class PeriodsCommand extends PagedReadCommand {

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

    @Override
    void check() {
      super.check();
      if (etag && filter.period() == null) {
        throw UserError.badUsage(Needs.of("--etag", "BOARD", "PERIOD"));
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

  /** Shows what a period would pay. */
  @Command(
      name = "preview",
      description = {
        "Shows what an open period would pay if it ended now, what a held one will pay if a person"
            + " approves it, or what a settled one has paid. Says what happens next. Pays nothing"
            + " and keeps nothing.",
        "",
        "An open period is computed from its journal, which is drained first.",
        "",
        "CSV and JSON have the members with their amounts, in the columns of 'palmares report'; the"
            + " sums go to standard error."
      },
      exitCodeList = {
        "0:shown",
        "2:bad usage, or a period that cannot be computed now",
        "3:shown, and nothing is paid before a person approves or restarts it"
      },
      footer = {
        "  palmares preview invites 2026-W47 --top 20",
        "  palmares preview invites 2026-W47 --format csv --out preview.csv"
      })
  static final class PreviewCommand extends ReadCommand {

    @Mixin private PeriodArgument target = new PeriodArgument();

    @Option(
        names = "--top",
        paramLabel = "N",
        description = "Only the first N places (default: 10 in a table, else all).")
    private @Nullable Integer top;

    @Override
    void check() {
      Arguments.atLeast(1, "--top", top);
    }

    @Override
    Listing read(Client client) {
      return client.get(PeriodResource.class).preview(target.board(), target.period(), top);
    }
  }

  /** Explains one member's result in one period. */
  @Command(
      name = "explain",
      description = {
        "Explains one member's result in one period on one page: its events and what each gave, its"
            + " points over time, who has equal points and what orders them, its rank in each"
            + " revision and why it changed, the rules that paid it, the transfers, and late"
            + " events.",
        "",
        "For an open period it shows what the journal has so far."
      },
      exitCodeList = {
        "0:explained",
        "1:the result could not be written",
        "2:bad usage, or an unknown member, board or period"
      },
      footer = {
        "  palmares explain ann invites 2026-W47",
        "  palmares explain ann invites 2026-W47 --format csv --out ann.csv"
      })
  static final class ExplainCommand extends ApiCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
    private String member = "";

    @Parameters(index = "1", paramLabel = "BOARD", description = "The board's id.")
    private String board = "";

    @Parameters(index = "2", paramLabel = "PERIOD", description = PeriodArgument.NAME)
    private String period = "";

    @Option(
        names = "--events",
        paramLabel = "N",
        defaultValue = "50",
        description = "List only the last N events (default: 50).")
    private int events;

    @Mixin private Output output = new Output();

    @Override
    public Integer call() throws IOException {
      Arguments.atLeast(0, "--events", events);
      return print(
          output, HistoryResource.class, history -> history.explain(board, period, member, events));
    }
  }

  /** Lists the runs that closed periods or tried to. */
  @Command(
      name = "runs",
      description = "Lists the runs that closed periods or tried to, the latest first.",
      exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown board"},
      footer = {
        "  palmares runs invites --failed --count 50",
        "  palmares runs invites 2026-W47 --steps"
      })
  static final class RunsCommand extends PagedReadCommand {
    /** Runs whose steps are shown, unless the call says how many. */
    private static final int DEFAULT_RUNS = 20;

    @Option(names = "--failed", description = "Only failed runs, with the reason.")
    private boolean failed;

    @Option(names = "--stack", description = "Also the stack trace of each exception.")
    private boolean stacks;

    @Option(
        names = "--steps",
        description =
            "What each step of a period's closings has done, and how much time a running one"
                + " needs.")
    private boolean steps;

    @Override
    void check() {
      super.check();
      if (steps && filter.period() == null) {
        throw UserError.badUsage(Needs.of("--steps", "BOARD", "PERIOD"));
      }
      if (steps && (failed || stacks)) {
        throw UserError.badUsage(TakesNo.of("--steps", "--failed", "--stack"));
      }
    }

    @Override
    Listing page(Client client, PageRequest page) {
      return client
          .get(InstallationResource.class)
          .runs(filter.board(), filter.period(), failed, stacks, page);
    }

    @Override
    Listing read(Client client) {
      if (!steps) {
        return super.read(client);
      }
      var named = filter.required();
      return client
          .get(InstallationResource.class)
          .steps(named.board(), named.period(), pages.count(DEFAULT_RUNS));
    }
  }

  /** Prints the manifest of a posted revision. */
  @Command(
      name = "manifest",
      description = {
        "Prints what a posted revision rests on, as recorded when it was paid: rules, boundaries,"
            + " population, sums, checksums, who approved it.",
        "",
        "The last line is the SHA-256 of all lines above it. 'palmares verify' compares the"
            + " manifest with the tables."
      },
      exitCodeList = {"0:printed", "2:bad usage, or no such manifest"},
      footer = "  palmares manifest invites 2026-W47 --revision 1")
  static final class ManifestCommand extends ReadCommand {

    @Mixin private PeriodArgument target = new PeriodArgument();

    @Option(
        names = "--revision",
        paramLabel = "N",
        description = "The revision (default: the one in force).")
    private @Nullable Integer revision;

    @Override
    Listing read(Client client) {
      return client.get(PeriodResource.class).manifest(target.board(), target.period(), revision);
    }
  }

  /** Lists the audit log. */
  @Command(
      name = "audit",
      description = {
        "Lists the audit log, the latest entry first: who changed what is paid or shown, when and"
            + " why. Times are in UTC."
      },
      exitCodeList = {"0:listed", "2:bad usage, or an unknown board"},
      footer = "  palmares audit invites 2026-W47")
  static final class AuditCommand extends PagedReadCommand {

    @Override
    Listing page(Client client, PageRequest page) {
      return client.get(InstallationResource.class).auditLog(filter.board(), filter.period(), page);
    }
  }
}
