package palmares.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.AtomicFile;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.explain.Explainer;
import palmares.operations.explain.Explanation;
import palmares.operations.explain.ExplanationPage;
import palmares.operations.explain.ExplanationText;
import palmares.period.Period;
import palmares.platform.form.Suggestion;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

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
      "  palmares explain ann invites 2026-W47 --html ann.html"
    })
final class ExplainCommand implements Callable<Integer> {
  /** A format of explanations, which do not fit into CSV. */
  private enum Format {
    TEXT,
    JSON
  }

  private final Session session;

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

  @Option(
      names = "--format",
      defaultValue = "text",
      description = "text (for people; the default) or json.")
  private Format format = Format.TEXT;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes the explanation to FILE instead, as a self-contained page.")
  private @Nullable Path html;

  ExplainCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Arguments.atLeast(0, "--events", events);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("explain", boards)) {
      var arguments = new Arguments(boards, app);
      Period found = arguments.period(arguments.board(board), period);
      Explanation explanation = explain(app.get(Explainer.class), found);
      if (html != null) {
        AtomicFile.write(html, writer -> writer.write(ExplanationPage.of(explanation)));
        session.note("written to " + html);
      } else if (format == Format.JSON) {
        session.print(
            JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(explanation));
      } else {
        ExplanationText.of(explanation).stream().map(TerminalText::of).forEach(session::print);
      }
    }
    return 0;
  }

  private Explanation explain(Explainer explainer, Period found) {
    return explainer
        .explain(found, Arguments.member(member), events)
        .orElseThrow(
            () ->
                UserError.badInput(
                    "there is no member '%s', on %s or elsewhere%s",
                    member,
                    found.label(),
                    Suggestion.hint(member, explainer.similar(found, member))));
  }
}
