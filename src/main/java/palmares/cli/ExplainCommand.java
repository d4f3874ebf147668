package palmares.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.AtomicFile;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.explain.Explainer;
import palmares.operations.explain.Explanation;
import palmares.operations.explain.ExplanationPage;
import palmares.operations.explain.ExplanationText;
import palmares.operations.report.PeriodHistory;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.form.Suggestion;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Tells one member's story in one period. */
@Command(
    name = "explain",
    description = {
      "Tells one member's story in one period on one page: its events and what each gave, its"
          + " points over time, who has as many and what puts them in order, its rank in each"
          + " revision and why it changed, the rules that paid it, the transfers, and what came too"
          + " late.",
      "",
      "Of a period that goes on it tells what the journal has so far."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the story is told",
      "1:it could not be written",
      "2:bad usage, or an unknown member, board or period"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares explain ann invites 2026-W47",
      "  palmares explain ann invites 2026-W47 --html ann.html"
    })
final class ExplainCommand implements Callable<Integer> {
  /** What has no place on a page. */
  private enum Shape {
    TEXT,
    JSON
  }

  private final Session session;

  @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Parameters(index = "1", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(
      index = "2",
      paramLabel = "PERIOD",
      description = "The period's name, as 2026-11-20, 2026-W47 or 2026-11.")
  private String period = "";

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "50",
      description = "Only the last N events one by one (default: 50).")
  private int events;

  @Option(
      names = "--format",
      defaultValue = "text",
      description = "text (for people; the default) or json.")
  private Shape format = Shape.TEXT;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes the story there instead, as a page that needs nothing else.")
  private @Nullable Path html;

  @Spec private CommandSpec spec = CommandSpec.create();

  ExplainCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (events < 0) {
      throw new ParameterException(spec.commandLine(), "--events is 0 or more, not " + events);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("explain"), boards)) {
      var names = new ArgumentLookup(boards, app.get(PeriodHistory.class));
      BoardId id = names.board(board);
      Period found =
          ArgumentLookup.name(period)
              .flatMap(name -> app.get(Periods.class).find(id, name))
              .orElseThrow(() -> names.unknownPeriod(id, period));
      Explanation explanation = story(app.get(Explainer.class), found);
      if (html != null) {
        AtomicFile.write(html, writer -> writer.write(ExplanationPage.of(explanation)));
        session.terminal().note("written to " + html);
      } else {
        var writer = new PrintWriter(session.terminal().out(), false, StandardCharsets.UTF_8);
        write(explanation, writer);
        writer.flush();
      }
    }
    return 0;
  }

  private Explanation story(Explainer explainer, Period found) {
    MemberId id;
    try {
      id = new MemberId(member);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
    return explainer
        .explain(found, id, events)
        .orElseThrow(
            () ->
                UserError.badInput(
                    "nobody ever heard of the member '%s', on %s or elsewhere%s"
                        .formatted(
                            member,
                            found.label(),
                            Suggestion.hint(member, explainer.similar(found, member)))));
  }

  private void write(Explanation explanation, Writer writer) throws IOException {
    if (format == Shape.JSON) {
      writer.write(
          JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(explanation)
              + "\n");
      return;
    }
    for (String line : ExplanationText.of(explanation)) {
      writer.write(TerminalText.of(line) + "\n");
    }
  }
}
