package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.InputSentences;
import palmares.api.http.UnknownSentences;
import palmares.api.ops.Listing.Body;
import palmares.api.ops.Listing.Content;
import palmares.api.ops.Listing.Status;
import palmares.api.roles.Caller;
import palmares.api.roles.PersonalData;
import palmares.live.member.InvitePolicy;
import palmares.live.member.Members;
import palmares.live.member.QualifyingInvites;
import palmares.operations.explain.Explainer;
import palmares.operations.explain.Explanation;
import palmares.operations.explain.Explanation.MemberInfo;
import palmares.operations.explain.ExplanationPage;
import palmares.operations.explain.ExplanationRows;
import palmares.operations.explain.ExplanationText;
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
import palmares.period.Period;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

@RestController
class HistoryController implements HistoryResource {
  private static final int MAX_LINES_IN_TABLE = 50;
  private static final int MAX_COUNT = 1_000;
  private static final OutputTable<MemberLineRow> LINES = OutputTable.of(MemberLineRow.class);

  private static final OutputTable<BoardMemberLineRow> LINES_OF_BOARDS =
      OutputTable.of(BoardMemberLineRow.class);

  private static final OutputTable<MemberRecordRow> RECORD = OutputTable.of(MemberRecordRow.class);
  private static final OutputTable<MemberRow> MEMBERS = OutputTable.of(MemberRow.class);
  private static final OutputTable<QualifyingInvites.Entry> INVITES =
      OutputTable.of(QualifyingInvites.Entry.class);
  private static final OutputTable<FameLine> FAME = OutputTable.of(FameLine.class);
  private static final OutputTable<MonthSum> SUMS =
      OutputTable.of(MonthSum.class)
          .shown("board", sum -> sum.board() == null ? OutputTable.ALL : sum.board());
  private static final OutputTable<MonthPeriods> PERIODS = OutputTable.of(MonthPeriods.class);

  private final Lookup lookup;
  private final Members members;
  private final KnownMembers knownMembers;
  private final MemberHistory history;
  private final HallOfFame hallOfFame;
  private final MonthReport months;
  private final Explainer explainer;
  private final InvitePolicy invitePolicy;
  private final QualifyingInvites invites;

  HistoryController(
      Lookup lookup,
      Members members,
      KnownMembers knownMembers,
      MemberHistory history,
      HallOfFame hallOfFame,
      MonthReport months,
      Explainer explainer,
      InvitePolicy invitePolicy,
      QualifyingInvites invites) {
    this.lookup = lookup;
    this.members = members;
    this.knownMembers = knownMembers;
    this.history = history;
    this.hallOfFame = hallOfFame;
    this.months = months;
    this.explainer = explainer;
    this.invitePolicy = invitePolicy;
    this.invites = invites;
  }

  @Override
  public Rows<MemberLineRow> member(
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
      Content lines =
          Listing.of(LINES, "lines", page.lines().stream().map(line -> row(line)).toList())
              .in(format)
              .content();
      Content withRecord =
          (out, raw) -> {
            out.write(TerminalText.lines(describe(history.record(id, who, top))).getBytes(UTF_8));
            lines.write(out, raw);
          };
      return new Body(
          format == OutputFormat.TABLE ? withRecord : lines, Status.OK, List.of(), next);
    };
  }

  @Override
  public Rows<MemberRow> members(String search, PageRequest page) {
    String text = search.strip();
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw Lookup.invalid("search", new InputSentences.NoSearch());
    }
    return Listing.page(
        MEMBERS,
        "members",
        page,
        MAX_LINES_IN_TABLE,
        2,
        (cursor, most) -> members.search(text, position(cursor), most),
        profile ->
            new MemberRow(
                profile.id().value(),
                profile.nickname(),
                profile.inviteCode().value(),
                profile.invites(),
                profile.registeredAt()),
        last -> PageCursor.of(last.nickname(), last.id()));
  }

  private static Members.@Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null
        ? null
        : new Members.Position(cursor.key(0), PageCursor.member(cursor.key(1)));
  }

  @Override
  public Rows<QualifyingInvites.Entry> invites(
      @Nullable String board, @Nullable String inviter, boolean pending, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    MemberId who = inviter == null ? null : Lookup.member(inviter);
    return Listing.page(
        INVITES,
        "invites",
        page,
        MAX_LINES_IN_TABLE,
        3,
        (cursor, most) -> invites.list(only, who, pending, invitePosition(cursor), most),
        last -> PageCursor.of(last.board(), last.invitedAt(), last.member()));
  }

  private static QualifyingInvites.@Nullable Position invitePosition(@Nullable PageCursor cursor) {
    return cursor == null
        ? null
        : new QualifyingInvites.Position(cursor.key(0), cursor.time(1), cursor.key(2));
  }

  @Override
  public Rows<BoardMemberLineRow> everywhere(String member, @Nullable Integer count) {
    Lookup.requireCount("count", count);
    MemberId who = Lookup.member(member);
    if (!knownMembers.knows(who)) {
      throw Lookup.unknownMember(member);
    }
    return format -> {
      int most = format.limit(count, MAX_LINES_IN_TABLE);
      return Listing.streamed(
              LINES_OF_BOARDS,
              "lines",
              row ->
                  history
                      .boards()
                      .forEach(
                          board ->
                              history.each(
                                  board,
                                  who,
                                  most,
                                  line ->
                                      row.accept(
                                          new BoardMemberLineRow(board.value(), row(line))))))
          .in(format);
    };
  }

  @Override
  public Rows<MemberRecordRow> record(String board, String member, int top) {
    MemberRecord all = known(lookup.board(board), Lookup.member(member), top);
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(out -> out.write(TerminalText.lines(describe(all))))
            : Listing.of(RECORD, "", List.of(row(all))).in(format);
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
  public Rows<FameLine> fame(String board, int count) {
    Lookup.within(1, MAX_COUNT, "count", count);
    return Listing.of(FAME, "settled-periods", hallOfFame.of(lookup.board(board), count));
  }

  @Override
  public Rows<MonthSum> month(String month, String zone) {
    Month asked = Lookup.month(month, zone);
    List<MonthSum> sums = months.sums(asked);
    return format -> {
      Body body = Listing.of(SUMS, "payments", sums).in(format);
      String noPeriods = Listing.none("closed-periods");
      Content withPeriods =
          (out, raw) -> {
            body.content().write(out, raw);
            PERIODS.write(format, raw, out, noPeriods, months.periods(asked)::forEach);
          };
      return format == OutputFormat.TABLE ? body.with(withPeriods) : body;
    };
  }

  @Override
  public Rows<MonthPeriods> monthPeriods(String month, String zone) {
    return Listing.of(PERIODS, "closed-periods", months.periods(Lookup.month(month, zone)));
  }

  private static MemberLineRow row(MemberLine line) {
    return new MemberLineRow(
        line.period().value(),
        line.startsAt(),
        line.revision(),
        line.place(),
        line.rank(),
        line.members(),
        line.points(),
        line.thenBy(),
        line.reachedAt(),
        line.awarded().credits(),
        line.awarded().others());
  }

  private static MemberRecordRow row(MemberRecord all) {
    MemberLine rank = all.bestRank();
    MemberLine points = all.bestPoints();
    return new MemberRecordRow(
        all.periods(),
        all.played(),
        all.wins(),
        all.podiums(),
        rank == null ? null : rank.rank(),
        rank == null ? null : rank.period().value(),
        points == null ? null : points.points(),
        points == null ? null : points.period().value(),
        all.awarded().credits(),
        all.awarded().others(),
        periods(all.playing().current()),
        periods(all.playing().longest()),
        first(all.playing().longest()),
        last(all.playing().longest()),
        all.top(),
        periods(all.inTop().current()),
        periods(all.inTop().longest()),
        first(all.inTop().longest()),
        last(all.inTop().longest()));
  }

  private static String describe(MemberRecord all) {
    MemberLine rank = all.bestRank();
    MemberLine points = all.bestPoints();
    String others = Money.list(all.awarded().others(), DisplayFormat::number);
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
            number(all.awarded().credits()),
            others.isEmpty() ? "" : ", " + others,
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
    return streak == null
        ? "0"
        : "%s from %s to %s".formatted(number(streak.periods()), streak.first(), streak.last());
  }

  private static long periods(@Nullable Streak streak) {
    return streak == null ? 0 : streak.periods();
  }

  private static @Nullable String first(@Nullable Streak streak) {
    return streak == null ? null : streak.first().value();
  }

  private static @Nullable String last(@Nullable Streak streak) {
    return streak == null ? null : streak.last().value();
  }

  private Sentence unknown(Period period, String member, boolean isLimited) {
    DidYouMean hint = DidYouMean.of(member, knownMembers.similar(period, member));
    return isLimited
        ? new UnknownSentences.MemberOfBoard(member, period.label(), hint)
        : new UnknownSentences.MemberAnywhere(member, period.label(), hint);
  }

  private static MemberInfo visible(MemberInfo who, PersonalData visible) {
    return switch (visible) {
      case ID -> new MemberInfo(who.member(), null, null, null, who.registeredAt());
      case NICKNAME -> new MemberInfo(who.member(), who.nickname(), null, null, who.registeredAt());
      case ALL -> who;
    };
  }

  @Override
  public Listing explain(String board, String period, String member, int events, boolean page) {
    Lookup.within(0, Listing.MAX_COUNT, "events", events);
    Period found = lookup.period(board, period);
    MemberId who = Lookup.member(member);
    Caller caller = Caller.get();
    boolean isLimited = !caller.boards().isEmpty();
    Optional<Explanation> known =
        isLimited
            ? explainer.explainOnBoard(found, who, events)
            : explainer.explain(found, who, events);
    PersonalData visible = PersonalData.visibleTo(caller, invitePolicy::showsNicknames);
    Explanation explanation =
        known
            .map(all -> all.with(visible(all.who(), visible)))
            .orElseThrow(
                () -> new Refusal(Problem.UNKNOWN_MEMBER, unknown(found, member, isLimited)));
    return format ->
        switch (format) {
          case TABLE -> {
            String text =
                page
                    ? ExplanationPage.of(explanation)
                    : ExplanationText.of(explanation).stream()
                        .map(TerminalText::of)
                        .collect(Collectors.joining("\n", "", "\n"));
            yield Body.text(out -> out.write(text));
          }
          case JSON -> Body.object(explanation);
          case CSV, XLSX ->
              Listing.of(ExplanationRows.COLUMNS, "", ExplanationRows.of(explanation)).in(format);
        };
  }
}
