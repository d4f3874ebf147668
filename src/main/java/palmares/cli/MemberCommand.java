package palmares.cli;

import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.Output;
import palmares.cli.output.Output.Format;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.report.MemberHistory;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.operations.report.MemberHistory.Page;
import palmares.operations.report.MemberRecord;
import palmares.operations.report.MemberRecord.Streak;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a member's ranks and awards over all settled periods of a board. */
@Command(
    name = "member",
    description = {
      "Shows a member's lines in the settled periods of a board, the latest first, and its record:"
          + " best rank and points, wins, podiums, awards and streaks.",
      "",
      "A streak is a run of consecutive settled periods of the board: with a line, or with the rank"
          + " --top or a better one. The current streak reaches to the latest settled period."
    },
    exitCodeList = {
      "0:all is shown",
      "1:it could not be written",
      "2:bad usage, or an unknown board, member or period"
    },
    footer = {
      "  palmares member invites ann",
      "  palmares member invites ann --record --top 10 --format json",
      "  palmares member invites ann --format csv --out ann.csv"
    })
final class MemberCommand implements Callable<Integer> {
  private static final int MAX_LINES_IN_TABLE = 50;

  private static final OutputTable<MemberLine> LINES =
      new OutputTable<MemberLine>()
          .text("period", MemberLine::period)
          .text("starts_at", MemberLine::startsAt)
          .number("revision", MemberLine::revision)
          .number("place", MemberLine::place)
          .number("rank", MemberLine::rank)
          .number("members", MemberLine::members)
          .number("points", MemberLine::points)
          .number("then_by", MemberLine::thenBy)
          .text("reached_at", MemberLine::reachedAt)
          .number("credits", line -> credits(line.awarded()))
          .text("other_prizes", line -> otherPrizes(line.awarded()));

  private static final OutputTable<MemberRecord> RECORD =
      new OutputTable<MemberRecord>()
          .number("periods", MemberRecord::periods)
          .number("played", MemberRecord::played)
          .number("wins", MemberRecord::wins)
          .number("podiums", MemberRecord::podiums)
          .number("best_rank", one -> one.bestRank() == null ? null : one.bestRank().rank())
          .text("best_rank_in", one -> one.bestRank() == null ? null : one.bestRank().period())
          .number("best_points", one -> one.bestPoints() == null ? null : one.bestPoints().points())
          .text(
              "best_points_in", one -> one.bestPoints() == null ? null : one.bestPoints().period())
          .number("credits", one -> credits(one.awarded()))
          .text("other_prizes", one -> otherPrizes(one.awarded()))
          .number("streak", one -> periods(one.playing().current()))
          .number("longest_streak", one -> periods(one.playing().longest()))
          .text("longest_streak_in", one -> range(one.playing().longest()))
          .number("top", MemberRecord::top)
          .number("top_streak", one -> periods(one.inTop().current()))
          .number("longest_top_streak", one -> periods(one.inTop().longest()))
          .text("longest_top_streak_in", one -> range(one.inTop().longest()));

  private final Session session;

  @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
  private String board = "";

  @Parameters(index = "1", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Option(
      names = "--record",
      description = "The member's record, instead of its lines; a table has both.")
  private boolean record;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "3",
      description = "The worst rank that counts for the streaks in the top (default: 3).")
  private int top;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Only the latest N lines (default: 50 in a table, else all).")
  private @Nullable Integer count;

  @Option(
      names = "--before",
      paramLabel = "PERIOD",
      description = "Only lines of periods before this one of the board.")
  private @Nullable String before;

  @Mixin private Output output = new Output();

  MemberCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Arguments.atLeast(1, "--top", top);
    if (count != null) {
      Arguments.atLeast(1, "--count", count);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.startWithoutRedis("member", boards)) {
      var arguments = new Arguments(boards, app);
      BoardId id = arguments.board(board);
      MemberId who = Arguments.member(member);
      MemberHistory history = app.get(MemberHistory.class);
      MemberRecord all = history.record(id, who, top);
      if (all.played() == 0 && !app.get(KnownMembers.class).knows(who)) {
        throw UserError.badInput("there is no member '%s'", who.value());
      }
      if (output.format() != Format.TABLE && record) {
        output.write(session, writer -> RECORD.write(output, writer, "", row -> row.accept(all)));
        return 0;
      }
      write(all, record ? null : page(history, arguments, id, who));
    }
    return 0;
  }

  private Page page(MemberHistory history, Arguments arguments, BoardId id, MemberId who) {
    return history.page(
        id,
        who,
        before == null ? null : arguments.summary(id, before).startsAt(),
        output.limit(count, MAX_LINES_IN_TABLE));
  }

  private void write(MemberRecord all, @Nullable Page page) throws IOException {
    output.write(
        session,
        writer -> {
          if (output.format() == Format.TABLE) {
            writer.write(describe(all));
          }
          if (page != null) {
            LINES.write(
                output, writer, "no line in a settled period", row -> page.lines().forEach(row));
          }
        });
    if (page != null && page.next() != null) {
      session.note("earlier periods are left out: --before %s", page.next());
    }
  }

  private static String describe(MemberRecord all) {
    MemberLine rank = all.bestRank();
    MemberLine points = all.bestPoints();
    String others = otherPrizes(all.awarded());
    return """
    periods:      %s of %s, %s wins, %s podiums
    best:         rank %s, points %s
    awards:       %s credits%s
    streak:       %s now, longest %s
    in the top %s: %s now, longest %s
    """
        .formatted(
            number(all.played()),
            number(all.periods()),
            number(all.wins()),
            number(all.podiums()),
            rank == null ? "none" : number(rank.rank()) + " in " + rank.period(),
            points == null ? "none" : number(points.points()) + " in " + points.period(),
            number(credits(all.awarded())),
            others == null ? "" : ", " + others,
            number(periods(all.playing().current())),
            longest(all.playing().longest()),
            all.top(),
            number(periods(all.inTop().current())),
            longest(all.inTop().longest()));
  }

  private static String number(@Nullable Long number) {
    return number == null ? "none" : DisplayFormat.number(number);
  }

  private static String longest(@Nullable Streak streak) {
    return streak == null ? "0" : number(streak.periods()) + " from " + range(streak);
  }

  private static long credits(SortedMap<String, Long> awarded) {
    return awarded.getOrDefault("credits", 0L);
  }

  private static @Nullable String otherPrizes(SortedMap<String, Long> awarded) {
    var others = new TreeMap<>(awarded);
    others.remove("credits");
    return others.isEmpty()
        ? null
        : others.entrySet().stream()
            .map(sum -> sum.getValue() + " " + sum.getKey())
            .collect(Collectors.joining(", "));
  }

  private static long periods(@Nullable Streak streak) {
    return streak == null ? 0 : streak.periods();
  }

  private static @Nullable String range(@Nullable Streak streak) {
    return streak == null ? null : streak.first() + " to " + streak.last();
  }
}
