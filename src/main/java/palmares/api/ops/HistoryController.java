package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.InputSentences;
import palmares.api.ops.Listing.Body;
import palmares.api.ops.Listing.Status;
import palmares.live.member.Members;
import palmares.live.member.Members.Profile;
import palmares.operations.report.HallOfFame;
import palmares.operations.report.HallOfFame.FameLine;
import palmares.operations.report.MemberHistory;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.operations.report.MemberHistory.Page;
import palmares.operations.report.MemberRecord;
import palmares.operations.report.MemberRecord.Streak;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.MonthReport.MonthPeriods;
import palmares.operations.report.MonthReport.MonthSum;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

@RestController
class HistoryController implements HistoryResource {
  private static final int MAX_LINES_IN_TABLE = 50;
  private static final int MAX_COUNT = 1_000;
  private static final String CREDITS = "credits";

  private record BoardLine(BoardId board, MemberLine line) {}

  private static final OutputTable<MemberLine> LINES =
      lines(new OutputTable<>(), Function.identity());

  private static final OutputTable<BoardLine> LINES_OF_BOARDS =
      lines(
          new OutputTable<BoardLine>().text("board", one -> one.board().value()), BoardLine::line);

  private static <T> OutputTable<T> lines(OutputTable<T> table, Function<T, MemberLine> line) {
    return table
        .text("period", row -> line.apply(row).period().value())
        .time("starts_at", row -> line.apply(row).startsAt())
        .number("revision", row -> line.apply(row).revision())
        .number("place", row -> line.apply(row).place())
        .number("rank", row -> line.apply(row).rank())
        .number("members", row -> line.apply(row).members())
        .number("points", row -> line.apply(row).points())
        .number("then_by", row -> line.apply(row).thenBy())
        .time("reached_at", row -> line.apply(row).reachedAt())
        .summed(CREDITS, row -> credits(line.apply(row).awarded()))
        .text("other_prizes", row -> otherPrizes(line.apply(row).awarded()));
  }

  private static final OutputTable<MemberRecord> RECORD =
      new OutputTable<MemberRecord>()
          .number("periods", MemberRecord::periods)
          .number("played", MemberRecord::played)
          .number("wins", MemberRecord::wins)
          .number("podiums", MemberRecord::podiums)
          .number("best_rank", one -> one.bestRank() == null ? null : one.bestRank().rank())
          .text(
              "best_rank_in",
              one -> one.bestRank() == null ? null : one.bestRank().period().value())
          .number("best_points", one -> one.bestPoints() == null ? null : one.bestPoints().points())
          .text(
              "best_points_in",
              one -> one.bestPoints() == null ? null : one.bestPoints().period().value())
          .number(CREDITS, one -> credits(one.awarded()))
          .text("other_prizes", one -> otherPrizes(one.awarded()))
          .number("streak", one -> periods(one.playing().current()))
          .number("longest_streak", one -> periods(one.playing().longest()))
          .text("longest_streak_in", one -> range(one.playing().longest()))
          .number("top", MemberRecord::top)
          .number("top_streak", one -> periods(one.inTop().current()))
          .number("longest_top_streak", one -> periods(one.inTop().longest()))
          .text("longest_top_streak_in", one -> range(one.inTop().longest()));

  private static final OutputTable<Profile> MEMBERS =
      new OutputTable<Profile>()
          .text("member", profile -> profile.id().value())
          .text("nickname", Profile::nickname)
          .text("invite_code", profile -> profile.inviteCode().value())
          .number("invites", Profile::invites)
          .time("registered_at", Profile::registeredAt);

  private static final OutputTable<FameLine> FAME =
      new OutputTable<FameLine>()
          .text("most", FameLine::what)
          .text("currency", FameLine::currency)
          .number("rank", FameLine::rank)
          .text("member", FameLine::member)
          .number("number", FameLine::number)
          .text("period", FameLine::period);

  private static final OutputTable<MonthSum> SUMS =
      new OutputTable<MonthSum>()
          .text("board", sum -> sum.board() == null ? "(all)" : sum.board())
          .text("currency", MonthSum::currency)
          .number("outcomes", MonthSum::outcomes)
          .number("paid", MonthSum::paid)
          .number("taken_back", MonthSum::takenBack)
          .number("net", MonthSum::net)
          .number("owed", MonthSum::owed)
          .number("written_off", MonthSum::writtenOff)
          .number("restored", MonthSum::restored);

  private static final OutputTable<MonthPeriods> PERIODS =
      new OutputTable<MonthPeriods>()
          .text("board", MonthPeriods::board)
          .number("closed", MonthPeriods::closed)
          .number("amended", MonthPeriods::amended)
          .number("held", MonthPeriods::held)
          .number("unsettled", MonthPeriods::unsettled);

  private final Lookup lookup;
  private final Members members;
  private final KnownMembers knownMembers;
  private final MemberHistory history;
  private final HallOfFame hallOfFame;
  private final MonthReport months;

  HistoryController(
      Lookup lookup,
      Members members,
      KnownMembers knownMembers,
      MemberHistory history,
      HallOfFame hallOfFame,
      MonthReport months) {
    this.lookup = lookup;
    this.members = members;
    this.knownMembers = knownMembers;
    this.history = history;
    this.hallOfFame = hallOfFame;
    this.months = months;
  }

  @Override
  public Listing member(
      String board, String member, int top, @Nullable Integer count, @Nullable String after) {
    Lookup.requireCount("count", count);
    BoardId id = lookup.board(board);
    MemberId who = Lookup.member(member);
    Lookup.atLeast(1, "top", top);
    if (!knownMembers.knows(who)) {
      throw Lookup.unknownMember(member);
    }
    Instant time = after == null ? null : lookup.summary(board, after).startsAt();
    return format -> {
      Page page = history.page(id, who, time, format.limit(count, MAX_LINES_IN_TABLE));
      String next = page.next() == null ? null : page.next().value();
      return new Body(
          (out, raw) -> {
            if (format == OutputFormat.TABLE) {
              out.write(TerminalText.lines(describe(history.record(id, who, top))).getBytes(UTF_8));
            }
            LINES.write(
                format, raw, out, "no line in a settled period", row -> page.lines().forEach(row));
          },
          Status.OK,
          List.of(),
          next);
    };
  }

  @Override
  public Listing members(String search, PageRequest page) {
    String text = search.strip();
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw Lookup.invalid("search", new InputSentences.NoSearch());
    }
    return Listing.page(
        MEMBERS,
        "no such member",
        page,
        MAX_LINES_IN_TABLE,
        2,
        (cursor, most) -> members.search(text, position(cursor), most),
        last -> PageCursor.of(last.nickname(), last.id()));
  }

  private static Members.@Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null
        ? null
        : new Members.Position(cursor.key(0), PageCursor.member(cursor.key(1)));
  }

  @Override
  public Listing everywhere(String member, @Nullable Integer count) {
    Lookup.requireCount("count", count);
    MemberId who = Lookup.member(member);
    if (!knownMembers.knows(who)) {
      throw Lookup.unknownMember(member);
    }
    return format -> {
      int most = format.limit(count, MAX_LINES_IN_TABLE);
      return Listing.streamed(
              LINES_OF_BOARDS,
              "no line in a settled period",
              row ->
                  history
                      .boards()
                      .forEach(
                          board ->
                              history.each(
                                  board,
                                  who,
                                  most,
                                  line -> row.accept(new BoardLine(board, line)))))
          .in(format);
    };
  }

  @Override
  public Listing record(String board, String member, int top) {
    MemberRecord all = known(lookup.board(board), Lookup.member(member), top);
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(out -> out.write(TerminalText.lines(describe(all))))
            : Listing.of(RECORD, "", List.of(all)).in(format);
  }

  private MemberRecord known(BoardId board, MemberId member, int top) {
    Lookup.atLeast(1, "top", top);
    MemberRecord all = history.record(board, member, top);
    if (all.played() == 0 && !knownMembers.knows(member)) {
      throw Lookup.unknownMember(member.value());
    }
    return all;
  }

  @Override
  public Listing fame(String board, int count) {
    Lookup.within(1, MAX_COUNT, "count", count);
    return Listing.of(FAME, "no settled period", hallOfFame.of(lookup.board(board), count));
  }

  @Override
  public Listing month(String month, String zone) {
    Month asked = Lookup.month(month, zone);
    List<MonthSum> sums = months.sums(asked);
    return format ->
        new Body(
            (out, raw) -> {
              SUMS.write(format, raw, out, "nothing was paid", sums::forEach);
              if (format == OutputFormat.TABLE) {
                PERIODS.write(format, raw, out, "no period closed", months.periods(asked)::forEach);
              }
            });
  }

  @Override
  public Listing monthPeriods(String month, String zone) {
    return Listing.of(PERIODS, "no period closed", months.periods(Lookup.month(month, zone)));
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
