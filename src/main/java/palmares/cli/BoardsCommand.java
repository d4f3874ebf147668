package palmares.cli;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.period.PeriodTimeline;
import palmares.rules.board.Board;
import palmares.rules.catalogue.BoardDescription;
import palmares.rules.catalogue.BoardSchema;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the boards as their files define them. */
@Command(
    name = "boards",
    description = {
      "Shows each board: its rules, its bits, and its next five periods.",
      "Checks the board files; needs no database.",
      "With --check, the next five periods follow from the periods in the database: after a change"
          + " of calendar or zone, the present period keeps its end, and the next one leads to the"
          + " new calendar."
    },
    exitCodeList = {
      "0:every board file is valid",
      "2:bad usage, an unknown board, or errors in the files: all are named"
    },
    footer = {
      "  palmares boards invites",
      "  palmares boards --jobs DIR",
      "  palmares boards invites --check"
    })
final class BoardsCommand implements Callable<Integer> {
  private final Session session;
  private final Clock clock;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "Only this board.")
  private @Nullable String board;

  @Option(
      names = "--schema",
      description = "Prints the JSON Schema of board files instead, for editors.")
  private boolean schema;

  @Option(
      names = "--check",
      description = "Compares the files with the periods in the database. Changes nothing.")
  private boolean check;

  BoardsCommand(Session session, Clock clock) {
    this.session = session;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    session.print((schema ? BoardSchema.json() : descriptions()).stripTrailing());
    return 0;
  }

  private String descriptions() {
    Catalogue boards = session.boards();
    Instant now = clock.instant();
    Collection<Board> shown =
        board == null ? boards.all() : List.of(Arguments.inForce(boards, board));
    if (!check) {
      return joined(shown, each -> BoardDescription.of(each, now));
    }
    try (RunningApplication app = session.start("boards", boards)) {
      PeriodTimeline timeline = app.get(PeriodTimeline.class);
      return joined(
          shown,
          each -> BoardDescription.of(each, timeline.preview(each, BoardDescription.MAX_PERIODS)));
    }
  }

  private static String joined(Collection<Board> boards, Function<Board, String> description) {
    return boards.stream().map(description).collect(Collectors.joining("\n"));
  }
}
