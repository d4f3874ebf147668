package palmares.console;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.member.PublicProfiles;
import palmares.operations.explain.Explanation;
import palmares.operations.explain.MemberEvents;
import palmares.operations.report.MemberHistory;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.operations.report.MemberHistory.OnBoard;
import palmares.operations.report.MemberRecord;
import palmares.period.BoardDefinitions;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;

/** Shows a member: its places and credits over all periods, its statement, and why it has them. */
@Console
class MemberPages {
  private static final int PERIODS = 60;
  private static final int STATEMENT = 30;
  private static final int TOP = 3;
  private static final int LATEST_EVENTS = 20;
  private static final int EVENTS = 100;
  private static final int MAX_EVENTS = 10_000;
  private static final int LINES = 12;
  private static final int ROWS_PER_PAGE = 100;

  private final Api api;
  private final Catalogue boards;
  private final MemberHistory history;
  private final MemberEvents memberEvents;
  private final BoardDefinitions definitions;
  private final PublicProfiles profiles;
  private final Charts charts;
  private final PageModel pages;

  MemberPages(
      Api api,
      Catalogue boards,
      MemberHistory history,
      MemberEvents memberEvents,
      BoardDefinitions definitions,
      PublicProfiles profiles,
      Charts charts,
      PageModel pages) {
    this.api = api;
    this.boards = boards;
    this.history = history;
    this.memberEvents = memberEvents;
    this.definitions = definitions;
    this.profiles = profiles;
    this.charts = charts;
    this.pages = pages;
  }

  /** A member's id that a person has typed. */
  static MemberId id(String text) {
    try {
      return new MemberId(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal(Problem.INVALID_FIELD, Refusal.said(e));
    }
  }

  /** What a member has reached on one board. */
  record Reached(
      String board,
      String title,
      boolean hasFile,
      MemberRecord best,
      List<MemberLine> lines,
      Charts.@Nullable Drawing chart) {

    /** Whether the member has older lines. */
    public boolean isCut() {
      return lines.size() < best.played();
    }
  }

  /** A board without a file is shown under the title that its latest period has. */
  private Reached reached(OnBoard on, Locale locale) {
    List<MemberLine> lines = on.lines();
    return new Reached(
        on.board().value(),
        title(on.board(), lines.get(0).period()),
        boards.find(on.board()).isPresent(),
        on.record(),
        lines.subList(0, Math.min(LINES, lines.size())),
        charts.ranks(lines, locale));
  }

  private String title(BoardId board, PeriodName period) {
    return boards
        .find(board)
        .or(() -> definitions.find(board, period))
        .map(Board::title)
        .orElse(board.value());
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members/{member}")
  String member(@PathVariable String member, Locale locale, Model model) {
    model.addAttribute("member", member);
    model.addAttribute("nickname", profiles.nicknames(List.of(member)).get(member));
    model.addAttribute(
        "reached",
        history.everywhere(id(member), TOP, PERIODS).stream()
            .map(on -> reached(on, locale))
            .toList());
    model.addAttribute(
        "exclusions",
        Rows.all(
            next ->
                api.exclusions().list(member, true, new PageRequest(Listing.DEFAULT_COUNT, next))));
    model.addAttribute(
        "invites", Rows.of(api.history().invites(null, member, false, PageRequest.FIRST)));
    model.addAttribute(
        "withheld", Rows.of(api.withheld().list(null, null, member, false, PageRequest.FIRST)));
    Rows statement =
        known(() -> api.ledger().account(member, "member", null, PageRequest.FIRST, STATEMENT + 1))
            .reversed();
    model.addAttribute("events", memberEvents.latest(id(member), LATEST_EVENTS));
    model.addAttribute("statement", statement.first(STATEMENT));
    model.addAttribute("isCut", statement.size() > STATEMENT);
    return "member";
  }

  /** No rows for a member whom only a live board knows. */
  private static Rows known(Supplier<Listing> listing) {
    try {
      return Rows.of(listing.get());
    } catch (Refusal e) {
      if (e.problem().status() != 404) {
        throw e;
      }
      return Rows.NONE;
    }
  }

  /** All results of a member on one board. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members/{member}/boards/{board}")
  String results(
      @PathVariable String member,
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    Rows rows = Rows.of(api.history().member(board, member, TOP, ROWS_PER_PAGE, after));
    model.addAttribute("member", member);
    model.addAttribute("board", board);
    model.addAttribute("hasFile", boards.find(new BoardId(board)).isPresent());
    model.addAttribute("rows", rows);
    model.addAttribute(
        "title",
        rows.isEmpty()
            ? board
            : title(
                new BoardId(board), new PeriodName(String.valueOf(rows.first().get("period")))));
    return "results";
  }

  /** Explains a member's result in a period. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/periods/{period}/members/{member}")
  String explanation(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      @RequestParam(defaultValue = "" + EVENTS) int events,
      Locale locale,
      Model model) {
    Explanation explanation =
        Rows.object(api.history().explain(board, period, member, events), Explanation.class);
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    model.addAttribute("member", member);
    model.addAttribute("explanation", explanation);
    definitions
        .find(new BoardId(board), new PeriodName(period))
        .ifPresent(rules -> pages.useZone(rules.zone(), model));
    model.addAttribute("chart", charts.curve(explanation, Show.of(model).now(), locale));
    model.addAttribute("more", events < MAX_EVENTS ? Math.min(MAX_EVENTS, 10 * events) + "" : null);
    return "explanation";
  }
}
