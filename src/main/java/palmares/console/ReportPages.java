package palmares.console;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.http.InputSentences;
import palmares.api.ops.PageCursor;
import palmares.api.ops.PageRequest;
import palmares.api.ops.PayoutResource.ReplayRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.replay.Replays;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.PayoutReport;
import palmares.operations.report.PayoutReport.OverlappingFile;
import palmares.operations.report.PayoutReport.Payout;
import palmares.operations.report.PayoutReport.PayoutLine;
import palmares.operations.report.PayoutReport.PayoutSum;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;

/**
 * Shows reports as pages to read and print: a board over a range, a month over all boards, and what
 * was posted for each member. They have the columns of the files that they lead to.
 */
@Console
class ReportPages {
  private static final int PERIODS = 31;
  private static final int TOP = 10;
  private static final int MAX_TOP = 100;
  private static final int LINES = 100;

  private final Api api;
  private final Catalogue boards;
  private final PayoutReport payouts;
  private final MonthReport months;
  private final PeriodHistory history;
  private final MonthZones zones;
  private final PageModel pages;

  ReportPages(
      Api api,
      Catalogue boards,
      PayoutReport payouts,
      MonthReport months,
      PeriodHistory history,
      MonthZones zones,
      PageModel pages) {
    this.api = api;
    this.boards = boards;
    this.payouts = payouts;
    this.months = months;
    this.history = history;
    this.zones = zones;
    this.pages = pages;
  }

  /** The first places of each settled period of a board that starts in a range. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/report")
  String board(
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(defaultValue = "" + TOP) int top,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    if (top < 1 || top > MAX_TOP) {
      throw invalid(new InputSentences.OutOfRange("top", 1, MAX_TOP, top));
    }
    String begin = orNull(from);
    String end = orNull(to);
    PageCursor cursor = PageCursor.parse(after, 1);
    Range range = range(board, begin, end, model);
    BoardId id = range.board();
    if (cursor == null) { // Later pages need not add up a long history again.
      model.addAttribute("total", history.count(id, range.from(), range.to()));
      model.addAttribute("sums", payouts.sums(payouts.ofBoard(id, range.from(), range.to())));
    }
    List<PeriodSummary> found =
        history.settledPage(
            id, range.from(), range.to(), cursor == null ? null : cursor.time(0), PERIODS + 1);
    List<PeriodSummary> shown = found.subList(0, Math.min(PERIODS, found.size()));
    model.addAttribute("board", board);
    model.addAttribute("title", boards.find(id).map(Board::title).orElse(board));
    model.addAttribute("from", begin);
    model.addAttribute("to", end);
    model.addAttribute("top", top);
    model.addAttribute(
        "more",
        found.size() > PERIODS ? PageCursor.of(shown.get(PERIODS - 1).startsAt()).text() : null);
    model.addAttribute("rows", lines(board, shown, top));
    model.addAttribute("file", file("/api/v1/ops/boards/{board}/report", begin, end, board));
    return "report";
  }

  /** Asks for other rules, beginning with those of the board's file. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/replay")
  String replay(@PathVariable String board, Model model) {
    api.periods()
        .list(board, null, null, null, false, new PageRequest(1, null)); // Refuses what is wrong.
    String rules = boards.find(new BoardId(board)).map(known -> known.source().text()).orElse("");
    return replay(board, rules, null, null, model);
  }

  /** Shows what other rules would have cost. */
  @Requires(Role.VIEWER)
  @PostMapping(Console.PATH + "/boards/{board}/replay")
  String replay(
      @PathVariable String board,
      @RequestParam String rules,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      Model model,
      HttpServletResponse response) {
    try {
      Rows rows =
          Rows.of(
              api.payouts()
                  .replay(board, new ReplayRequest(rules, orNull(from), orNull(to), null)));
      model.addAttribute("rows", rows);
    } catch (Refusal refusal) {
      response.setStatus(refusal.problem().status());
      model.addAttribute("refusal", refusal.said());
    }
    return replay(board, rules, from, to, model);
  }

  private static String replay(
      String board, String rules, @Nullable String from, @Nullable String to, Model model) {
    model.addAttribute("board", board);
    model.addAttribute("rules", rules);
    model.addAttribute("parts", Stream.of(Replays.Part.values()).map(Choice::word).toList());
    model.addAttribute("from", from);
    model.addAttribute("to", to);
    return "replay";
  }

  private ZoneId zone(BoardId board) {
    return boards.find(board).map(Board::zone).orElse(ZoneOffset.UTC);
  }

  private Rows lines(String board, List<PeriodSummary> periods, int top) {
    if (periods.isEmpty()) {
      return Rows.NONE;
    }
    Instant first = periods.get(0).startsAt();
    Instant behind = periods.get(periods.size() - 1).startsAt().plusMillis(1);
    Rows rows = Rows.of(api.periods().reports(board, first.toString(), behind.toString(), top));
    rows.rows().forEach(row -> row.put("board", board));
    return rows.withoutEmpty();
  }

  /** What all boards posted in a month, and what became of their periods. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/months/{month}")
  String month(
      @PathVariable String month,
      @RequestParam(required = false) @Nullable String zone,
      Model model) {
    Month asked = zones.month(month, zone, model);
    String id = asked.zone().getId();
    model.addAttribute("sums", Rows.of(api.history().month(month, id)));
    model.addAttribute("periods", Rows.of(api.history().monthPeriods(month, id)));
    model.addAttribute("unsettled", unsettled(asked));
    model.addAttribute("before", asked.month().minusMonths(1));
    model.addAttribute("behind", asked.month().plusMonths(1));
    return "month";
  }

  private long unsettled(Month month) {
    return months.periods(month).stream().mapToLong(one -> one.held() + one.unsettled()).sum();
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/months/{month}/payout")
  String payoutOfMonth(
      @PathVariable String month,
      @RequestParam(required = false) @Nullable String zone,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    Month asked = zones.month(month, zone, model);
    Instant now = Show.of(model).now();
    pages.useNamedZone(asked.zone(), model);
    model.addAttribute("isOpen", !asked.isOver(now));
    add(payouts.ofMonth(asked, now), unsettled(asked), after, model);
    model.addAttribute("about", month + ", " + asked.zone());
    model.addAttribute(
        "file",
        UriComponentsBuilder.fromPath("/api/v1/ops/months/{month}/payout")
            .queryParam("zone", "{zone}")
            .encode()
            .buildAndExpand(month, asked.zone())
            .toUriString());
    return "payout";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/periods/{period}/payout")
  String payoutOfPeriod(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    api.periods().get(board, period); // Refuses a board and a period that do not exist.
    var id = new BoardId(board);
    pages.useNamedZone(zone(id), model);
    model.addAttribute("isOpen", false);
    add(payouts.ofPeriod(id, new PeriodName(period), null), 0, after, model);
    model.addAttribute("about", board + " " + period);
    String path = "/boards/%s/periods/%s".formatted(board, period);
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    model.addAttribute("file", "/api/v1/ops" + path + "/payout");
    return "payout";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/payout")
  String payoutOfBoard(
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    String first = orNull(from);
    String last = orNull(to);
    Range range = range(board, first, last, model);
    BoardId id = range.board();
    Instant begin = range.from();
    Instant end = range.to();
    Instant now = Show.of(model).now();
    model.addAttribute("isOpen", payouts.isOpen(id, begin, end, now));
    add(payouts.ofBoard(id, begin, end), payouts.unsettled(id, begin, end, now), after, model);
    model.addAttribute(
        "about",
        first == null && last == null
            ? board
            : "%s %s – %s".formatted(board, first == null ? "" : first, last == null ? "" : last));
    model.addAttribute("board", board);
    model.addAttribute("file", file("/api/v1/ops/boards/{board}/payout", first, last, board));
    return "payout";
  }

  private record Range(BoardId board, @Nullable Instant from, @Nullable Instant to) {}

  /** The times of a form, in the zone of their board, which the page then shows. */
  private Range range(String board, @Nullable String from, @Nullable String to, Model model) {
    api.periods()
        .list(board, null, from, to, false, new PageRequest(1, null)); // Refuses what is wrong.
    var id = new BoardId(board);
    ZoneId zone = zone(id);
    pages.useNamedZone(zone, model);
    return new Range(id, time("from", from, zone), time("to", to, zone));
  }

  private static @Nullable Instant time(String field, @Nullable String text, ZoneId zone) {
    return text == null
        ? null
        : DayOrTime.parse(text, zone)
            .orElseThrow(() -> invalid(new InputSentences.NotATime(field, text)));
  }

  private void add(Payout payout, long unsettled, @Nullable String after, Model model) {
    PageCursor cursor = PageCursor.parse(after, 2); // The currency and the member.
    List<PayoutSum> sums = payouts.sums(payout);
    boolean isWholeOnly = PayoutReport.isWholeOnly(payout, sums);
    List<PayoutLine> lines =
        isWholeOnly
            ? List.of()
            : payouts.page(
                payout,
                cursor == null ? "" : cursor.key(1),
                cursor == null ? "" : cursor.key(0),
                LINES + 1);
    List<OverlappingFile> overlapping = payouts.overlapping(payout);
    List<PayoutLine> shown = lines.subList(0, Math.min(LINES, lines.size()));
    model.addAttribute("reference", payout.reference());
    model.addAttribute("revisions", payout.outcomes().size());
    model.addAttribute("sums", sums);
    model.addAttribute("earlier", payouts.earlierFiles(payout).orElse(null));
    model.addAttribute("overlapping", overlapping);
    model.addAttribute(
        "moreFiles",
        overlapping.isEmpty() ? 0 : payouts.countOverlapping(payout) - overlapping.size());
    model.addAttribute("unsettled", unsettled);
    model.addAttribute("isWholeOnly", isWholeOnly);
    model.addAttribute("lines", shown);
    model.addAttribute(
        "isCorrected",
        shown.stream().anyMatch(l -> l.owed() != 0 || l.writtenOff() != 0 || l.restored() != 0));
    model.addAttribute("payout", payout);
    PayoutLine last = lines.size() > LINES ? shown.get(LINES - 1) : null;
    model.addAttribute(
        "next", last == null ? null : PageCursor.of(last.currency(), last.member()).text());
  }

  private static @Nullable String orNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text.strip();
  }

  private static String file(
      String path, @Nullable String from, @Nullable String to, String board) {
    return UriComponentsBuilder.fromPath(path)
        .queryParamIfPresent("from", Optional.ofNullable(from))
        .queryParamIfPresent("to", Optional.ofNullable(to))
        .encode()
        .buildAndExpand(board)
        .toUriString();
  }

  private static Refusal invalid(Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said);
  }
}
