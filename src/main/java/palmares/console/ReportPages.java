package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.PayoutReport;
import palmares.operations.report.PayoutReport.Payout;
import palmares.operations.report.PayoutReport.PayoutLine;
import palmares.operations.report.PayoutReport.PayoutSum;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;

/**
 * Shows reports as pages to read and print: a board over a range, a month over all boards, and what
 * was posted for each member. They have the columns of the files that they lead to.
 */
@Console
class ReportPages {
  private static final int MAX_PAGE = 1_000;
  private static final int PERIODS = 31;
  private static final int TOP = 10;
  private static final int MAX_TOP = 100;
  private static final int LINES = 100;
  private static final String SEPARATOR = "\n";

  private final Api api;
  private final Catalogue boards;
  private final PayoutReport payouts;
  private final MonthReport months;
  private final Clock clock;

  ReportPages(Api api, Catalogue boards, PayoutReport payouts, MonthReport months, Clock clock) {
    this.api = api;
    this.boards = boards;
    this.payouts = payouts;
    this.months = months;
    this.clock = clock;
  }

  /** The first places of each settled period of a board that starts in a range. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/report")
  String board(
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(defaultValue = "" + TOP) int top,
      @RequestParam(defaultValue = "0") int after,
      Model model) {
    if (top < 1 || top > MAX_TOP || after < 0) {
      throw invalid("'top' is 1 to %d, and 'after' 0 or more".formatted(MAX_TOP));
    }
    String begin = orNull(from);
    String end = orNull(to);
    List<Map<String, @Nullable Object>> settled = settled(board, begin, end);
    model.addAttribute("board", board);
    model.addAttribute("title", boards.find(new BoardId(board)).map(Board::title).orElse(board));
    model.addAttribute("from", begin);
    model.addAttribute("to", end);
    model.addAttribute("top", top);
    model.addAttribute("periods", settled.size());
    model.addAttribute(
        "members",
        settled.stream()
            .mapToLong(row -> row.get("members") instanceof Number n ? n.longValue() : 0)
            .sum());
    model.addAttribute("more", after + PERIODS < settled.size() ? after + PERIODS + "" : null);
    model.addAttribute("sums", sums(board, settled));
    model.addAttribute(
        "rows", lines(board, settled.stream().skip(after).limit(PERIODS).toList(), top));
    model.addAttribute("file", file("/api/v1/ops/boards/{board}/report", begin, end, board));
    return "report";
  }

  /** The earliest first, as in files. */
  private List<Map<String, @Nullable Object>> settled(
      String board, @Nullable String from, @Nullable String to) {
    return Rows.all(next -> api.periods().list(board, null, from, to, false, MAX_PAGE, next))
        .where(row -> row.get("settled_at") != null)
        .reversed()
        .rows();
  }

  private static Instant start(Map<String, @Nullable Object> period) {
    return Instant.parse(String.valueOf(period.get("starts_at")));
  }

  private List<PayoutSum> sums(String board, List<Map<String, @Nullable Object>> periods) {
    return periods.isEmpty()
        ? List.of()
        : payouts.sums(payouts.ofBoard(new BoardId(board), start(periods.get(0)), behind(periods)));
  }

  private static Instant behind(List<Map<String, @Nullable Object>> periods) {
    return start(periods.get(periods.size() - 1)).plusMillis(1);
  }

  private Rows lines(String board, List<Map<String, @Nullable Object>> periods, int top) {
    if (periods.isEmpty()) {
      return Rows.NONE;
    }
    Rows rows =
        Rows.of(
            api.periods()
                .reports(board, start(periods.get(0)).toString(), behind(periods).toString(), top));
    rows.rows().forEach(row -> row.put("board", board));
    return rows.withoutEmpty();
  }

  /** What all boards posted in a month, and what became of their periods. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/months/{month}")
  String month(@PathVariable String month, Model model) {
    Month asked = parse(month);
    model.addAttribute("month", month);
    model.addAttribute("sums", Rows.of(api.history().month(month, "UTC")));
    model.addAttribute("periods", Rows.of(api.history().monthPeriods(month, "UTC")));
    model.addAttribute("unsettled", unsettled(asked));
    model.addAttribute("before", asked.month().minusMonths(1));
    model.addAttribute("behind", asked.month().plusMonths(1));
    return "month";
  }

  private long unsettled(Month month) {
    return months.periods(month).stream().mapToLong(one -> one.held() + one.unsettled()).sum();
  }

  private static Month parse(String month) {
    try {
      return new Month(YearMonth.parse(month), ZoneId.of("UTC"));
    } catch (DateTimeException e) {
      throw invalid("'%s' is not a month such as 2026-11".formatted(month));
    }
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/months/{month}/payout")
  String payoutOfMonth(
      @PathVariable String month,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    Month asked = parse(month);
    add(payouts.ofMonth(asked), unsettled(asked), after, model);
    model.addAttribute("about", month);
    model.addAttribute("back", Console.PATH + "/months/" + month);
    model.addAttribute("file", "/api/v1/ops/months/" + month + "/payout");
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
    add(payouts.ofPeriod(new BoardId(board), new PeriodName(period), null), 0, after, model);
    model.addAttribute("about", board + " " + period);
    String path = "/boards/%s/periods/%s".formatted(board, period);
    model.addAttribute("back", Console.PATH + path + "/transfers");
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
    api.periods().list(board, null, first, last, false, 1, null); // Refuses what is wrong.
    var id = new BoardId(board);
    ZoneId zone = boards.find(id).map(Board::zone).orElse(ZoneOffset.UTC);
    Instant begin = time(first, zone);
    Instant end = time(last, zone);
    add(
        payouts.ofBoard(id, begin, end),
        payouts.unsettled(id, begin, end, clock.instant()),
        after,
        model);
    model.addAttribute(
        "about",
        first == null && last == null
            ? board
            : "%s %s – %s".formatted(board, first == null ? "" : first, last == null ? "" : last));
    model.addAttribute("back", Console.PATH + "/boards/" + board);
    model.addAttribute("file", file("/api/v1/ops/boards/{board}/payout", first, last, board));
    return "payout";
  }

  private static @Nullable Instant time(@Nullable String text, ZoneId zone) {
    return text == null
        ? null
        : DayOrTime.parse(text, zone).orElseThrow(() -> invalid(DayOrTime.expected(text)));
  }

  private void add(Payout payout, long unsettled, @Nullable String after, Model model) {
    boolean isWholeOnly = PayoutReport.isWholeOnly(payout);
    List<String> cursor = decode(after);
    List<PayoutLine> lines =
        isWholeOnly ? List.of() : payouts.page(payout, cursor.get(0), cursor.get(1), LINES + 1);
    List<PayoutLine> shown = lines.subList(0, Math.min(LINES, lines.size()));
    model.addAttribute("reference", payout.reference());
    model.addAttribute("revisions", payout.outcomes().size());
    model.addAttribute("sums", payouts.sums(payout));
    model.addAttribute("overlapping", payouts.overlapping(payout));
    model.addAttribute("unsettled", unsettled);
    model.addAttribute("isWholeOnly", isWholeOnly);
    model.addAttribute("lines", shown);
    model.addAttribute("payout", payout);
    model.addAttribute("next", lines.size() > LINES ? encode(shown.get(LINES - 1)) : null);
  }

  private static String encode(PayoutLine last) {
    String keys = last.currency() + SEPARATOR + last.member();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(keys.getBytes(UTF_8));
  }

  /** The member and the currency of the last line of the page before. */
  private static List<String> decode(@Nullable String cursor) {
    if (cursor == null) {
      return List.of("", "");
    }
    try {
      String[] keys = new String(Base64.getUrlDecoder().decode(cursor), UTF_8).split(SEPARATOR, 2);
      if (keys.length == 2 && keys[1].indexOf('\0') < 0) {
        return List.of(keys[1], keys[0]);
      }
    } catch (IllegalArgumentException e) {
      // Refused below.
    }
    throw new ProblemException(Problem.INVALID_CURSOR, "'after' is not the cursor of a page");
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

  private static ProblemException invalid(String detail) {
    return new ProblemException(Problem.INVALID_FIELD, detail);
  }
}
