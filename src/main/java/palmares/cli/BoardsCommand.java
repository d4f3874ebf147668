package palmares.cli;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
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

/** Shows the boards as their files state them. */
@Command(
    name = "boards",
    description = {
      "Shows each board: its rules, its bits, and its next five periods.",
      "Checks the board files; needs no database.",
      "With --check, the next five periods are those that follow from the periods in the database:"
          + " after a change of calendar or zone, the present one keeps its end, and the one after"
          + " it bridges to the new calendar."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every board file is right",
      "2:bad usage, an unknown board, or faults in the files: all are named"
    },
    footerHeading = "%nExample:%n",
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
      description =
          "Prints the JSON Schema of board files instead, by which editors complete them.")
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
    session.terminal().print((schema ? BoardSchema.json() : sheets()).stripTrailing());
    return 0;
  }

  private String sheets() {
    Catalogue boards = session.boards();
    Instant now = clock.instant();
    Collection<Board> shown =
        board == null ? boards.all() : List.of(ArgumentLookup.inForce(boards, board));
    if (!check) {
      return joined(shown, each -> BoardDescription.of(each, now));
    }
    try (RunningApplication app = session.start(LaunchOptions.of("boards"), boards)) {
      PeriodTimeline timeline = app.get(PeriodTimeline.class);
      return joined(
          shown,
          each -> BoardDescription.of(each, timeline.preview(each, BoardDescription.MAX_PERIODS)));
    }
  }

  private static String joined(Collection<Board> boards, Function<Board, String> sheet) {
    return boards.stream().map(sheet).collect(Collectors.joining("\n"));
  }
}
