package palmares.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.PeriodResource;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.output.OutputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains one member's result in one period. */
@Command(
    name = "explain",
    description = {
      "Explains one member's result in one period on one page: its events and what each gave, its"
          + " points over time, who has equal points and what orders them, its rank in each"
          + " revision and why it changed, the rules that paid it, the transfers, and late events.",
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
      "  palmares explain ann invites 2026-W47 --format csv --out ann.csv",
      "  palmares explain ann invites 2026-W47 --html ann.html"
    })
final class ExplainCommand extends ApiCommand implements Callable<Integer> {
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

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes the explanation to FILE instead, as a self-contained page.")
  private @Nullable Path html;

  ExplainCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws IOException {
    Arguments.atLeast(0, "--events", events);
    if (html != null && !output.isDefault()) {
      throw UserError.badUsage("--html takes no --format, --out and --raw: it writes a page");
    }
    int exitCode =
        print(
            html == null ? output : new Output(OutputFormat.TABLE, html),
            PeriodResource.class,
            periods -> periods.explain(board, period, member, events, html != null));
    if (html != null) {
      session.note("written to " + html);
    }
    return exitCode;
  }
}
