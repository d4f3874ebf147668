package palmares.console;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.ProblemDetails;
import palmares.api.ops.PageRequest;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoards;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.journal.StoredEvents;
import palmares.live.member.PublicProfiles;
import palmares.operations.report.PeriodExclusions;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.manifest.Manifests;

/** Shows one period: its standings, steps, transfers, revisions, manifest and late events. */
@Console
class PeriodPages {
  private static final String PATH = Console.PATH + "/boards/{board}/periods/{period}";
  private static final int ROWS_PER_PAGE = 50;
  private static final int NEIGHBOURS = 12;
  private static final int ROWS = 200;

  /** Each is evaluated. */
  private static final int LATE_EVENTS = 100;

  private static final int RUNS = 20;
  private static final int MAX_RUNS = 10_000;

  private static final String WITHHELD = "withheld";

  static final List<String> TABS =
      List.of(
          "steps",
          "transfers",
          "revisions",
          "manifest",
          "exclusions",
          "late-events",
          WITHHELD,
          "audit");

  private static final Logger log = LoggerFactory.getLogger(PeriodPages.class);

  private final Api api;
  private final Periods periods;
  private final PeriodBoards boards;
  private final BoardDefinitions definitions;
  private final Manifests manifests;
  private final PeriodExclusions exclusions;
  private final PendingCards pending;
  private final Charts charts;
  private final PayoutEstimates estimates;
  private final PublicProfiles profiles;
  private final StoredEvents events;
  private final PageModel pages;

  PeriodPages(
      Api api,
      Periods periods,
      PeriodBoards boards,
      BoardDefinitions definitions,
      Manifests manifests,
      PeriodExclusions exclusions,
      PendingCards pending,
      Charts charts,
      PayoutEstimates estimates,
      PublicProfiles profiles,
      StoredEvents events,
      PageModel pages) {
    this.api = api;
    this.periods = periods;
    this.boards = boards;
    this.definitions = definitions;
    this.manifests = manifests;
    this.exclusions = exclusions;
    this.pending = pending;
    this.charts = charts;
    this.estimates = estimates;
    this.profiles = profiles;
    this.events = events;
    this.pages = pages;
  }

  @Requires(Role.VIEWER)
  @GetMapping(PATH)
  String standings(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable String member,
      @RequestParam(required = false) @Nullable String rank,
      @RequestParam(required = false) @Nullable String after,
      Locale locale,
      Model model) {
    Period found = add(board, period, "standings", model);
    if (found.state().isSettled() && member == null && rank == null && after == null) {
      model.addAttribute("charts", charts.distribution(found.board(), found.name(), locale));
    }
    model.addAttribute("estimates", estimates.applies(found));
    model.addAttribute("member", member == null ? null : member.strip());
    model.addAttribute("rank", rank);
    try {
      boolean differs = found.state() != PeriodState.OPEN && differs(model);
      model.addAttribute("differs", differs);
      PeriodBoard lines = differs ? boards.readingTorn(found) : boards.of(found);
      PeriodBoard.Section section = section(found, lines, member, rank, after);
      model.addAttribute("section", section);
      model.addAttribute(
          "nicknames", profiles.nicknames(section.lines().stream().map(LineView::member).toList()));
      model.addAttribute("unexplained", differs ? unexplained(found, section) : Set.of());
      model.addAttribute("next", next(section));
      model.addAttribute("isLive", section.asOf() != null && !section.version().over());
      if (member != null && !member.isBlank() && section.lines().isEmpty()) {
        model.addAttribute("absent", member.strip());
      } else if (rank != null && section.lines().isEmpty() && section.members() > 0) {
        model.addAttribute("absentRank", rank.strip());
        model.addAttribute("lastRank", lastRank(lines, section.members()));
      }
    } catch (Refusal e) {
      model.addAttribute("problem", ProblemDetails.of(e));
    }
    return "period";
  }

  /** Shows what an open period would pay if it closed now, as part of other pages. */
  @Requires(Role.VIEWER)
  @GetMapping(PATH + "/estimate")
  String estimate(@PathVariable String board, @PathVariable String period, Model model) {
    Period found = add(board, period, "estimate", model);
    try {
      model.addAttribute("estimate", estimates.of(found));
    } catch (Refusal e) {
      model.addAttribute("refusal", e.said());
    } catch (RedisUnavailable e) {
      model.addAttribute("refusal", e.reason().said());
    } catch (DataAccessException | TransactionException e) {
      log.warn("the estimate of {} failed", found.label(), e);
      model.addAttribute("failed", true);
    }
    return "estimate";
  }

  private static PeriodBoard.Section section(
      Period period,
      PeriodBoard lines,
      @Nullable String member,
      @Nullable String rank,
      @Nullable String after) {
    if (member != null && !member.isBlank()) {
      return lines.around(MemberPages.id(member.strip()), NEIGHBOURS);
    }
    if (rank != null && !rank.isBlank()) {
      return lines.fromRank(rank(rank.strip()), ROWS_PER_PAGE);
    }
    return after == null
        ? lines.top(ROWS_PER_PAGE)
        : lines.after(Cursor.of(after, period), ROWS_PER_PAGE);
  }

  /** Whether the closing has failed because the live board and the journal differ. */
  private static boolean differs(Model model) {
    return model.getAttribute("pending") instanceof Pending pending
        && pending.repair() == Repair.REPLACE;
  }

  /** The members whose entries stop the closing: no event of the journal explains them. */
  private Set<String> unexplained(Period period, PeriodBoard.Section section) {
    return events.withoutEvents(
        period.id(), section.lines().stream().map(LineView::member).toList());
  }

  /** The rank of the last line; null where equal ranks leave fewer ranks than members. */
  private static @Nullable Long lastRank(PeriodBoard lines, long members) {
    var last = lines.holding(members).lines();
    return last.isEmpty() ? null : last.get(0).rank();
  }

  private static long rank(String text) {
    try {
      long rank = Long.parseLong(text);
      if (rank > 0) {
        return rank;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw new Refusal(Problem.INVALID_FIELD, new PageSentences.NotARank(text));
  }

  private static @Nullable String next(PeriodBoard.Section section) {
    var lines = section.lines();
    Cursor end = section.end();
    Long last = lines.isEmpty() ? null : lines.get(lines.size() - 1).place();
    return end == null || last == null || last >= section.members() ? null : end.text();
  }

  @Requires(Role.VIEWER)
  @GetMapping(PATH + "/{tab}")
  String tab(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String tab,
      @RequestParam(required = false) @Nullable Integer revision,
      @RequestParam(defaultValue = "" + RUNS) int steps,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    if (!TABS.contains(tab)) {
      throw new Refusal(Problem.NOT_FOUND, new PageSentences.NoPage(tab));
    }
    Period found = add(board, period, tab, model);
    model.addAttribute("rows", rows(found, tab, revision, steps, after));
    if (tab.equals("steps")) {
      var latest = new PageRequest(RUNS, after);
      Rows runs =
          Rows.of(api.installation().runs(board, period, false, false, latest))
              .only("started", "took", "outcome", "step", "by", "cause", "detail")
              .renamed("by", "process");
      model.addAttribute("runs", runs);
      model.addAttribute("isRunning", !runs.where("outcome", "running").isEmpty());
      model.addAttribute("steps", steps);
      model.addAttribute("moreSteps", moreSteps(board, period, steps));
    }
    model.addAttribute("revision", revision);
    if (tab.equals("exclusions") || tab.equals("revisions")) {
      model.addAttribute("frozen", exclusions.frozen(found));
    }
    if (tab.equals("exclusions")) {
      model.addAttribute("freeze", exclusions.freeze(found, revision).orElse(null));
    }
    if (tab.equals("revisions") && revision != null) {
      model.addAttribute(
          "differences",
          Rows.of(api.amendments().differences(board, period, revision)).withoutEmpty());
    }
    return "period";
  }

  private Rows rows(
      Period found, String tab, @Nullable Integer revision, int steps, @Nullable String after) {
    String board = found.board().value();
    String period = found.name().value();
    var page = new PageRequest(ROWS, after);
    return switch (tab) {
      case "steps" -> Rows.of(api.installation().steps(board, period, steps));
      case "transfers" -> Rows.of(api.periods().transfers(board, period));
      case "revisions" -> Rows.of(api.periods().revisions(board, period, page)).withoutEmpty();
      case "manifest" -> manifest(found, revision);
      case "exclusions" -> Rows.of(api.periods().exclusions(board, period, revision, page));
      case "late-events" -> lateEvents(board, period, after);
      case WITHHELD ->
          Rows.of(api.withheld().list(board, period, null, false, page)).without("board", "period");
      default -> Rows.of(api.installation().auditLog(board, period, page));
    };
  }

  /** Without their board and period, which the page names. */
  private Rows lateEvents(String board, String period, @Nullable String after) {
    return Rows.of(api.lateEvents().list(board, period, false, new PageRequest(LATE_EVENTS, after)))
        .without("board", "period")
        .withoutEmpty();
  }

  /** How many runs to show the steps of next; null if these are all. */
  private @Nullable String moreSteps(String board, String period, int runs) {
    boolean isAll =
        runs >= MAX_RUNS
            || Rows.of(
                        api.installation()
                            .runs(board, period, false, false, new PageRequest(runs, null)))
                    .next()
                == null;
    return isAll ? null : Math.min(MAX_RUNS, 10 * runs) + "";
  }

  private Rows manifest(Period period, @Nullable Integer revision) {
    return period.state().isSettled()
        ? Rows.of(api.periods().manifest(period.board().value(), period.name().value(), revision))
        : Rows.NONE;
  }

  private Period add(String board, String period, String tab, Model model) {
    Map<String, @Nullable Object> row =
        Rows.of(Objects.requireNonNull(api.periods().get(board, period).getBody())).first();
    Period found = periods.find(new BoardId(board), new PeriodName(period)).orElseThrow();
    Board rules = definitions.of(found);
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    model.addAttribute("title", rules.title());
    ThenBy thenBy = rules.scale().thenBy();
    model.addAttribute("thenBy", thenBy == null ? null : thenBy.name());
    pages.useZone(rules.zone(), model);
    model.addAttribute("row", row);
    model.addAttribute("state", found.shownState(Show.of(model).now()));
    model.addAttribute("tab", tab);
    boolean isReviewed = rules.invites() != null && rules.invites().review() != null;
    model.addAttribute(
        "tabs", TABS.stream().filter(word -> isReviewed || !word.equals(WITHHELD)).toList());
    Pending open = pending.of(found);
    model.addAttribute("pending", open);
    model.addAttribute("acts", acts(found, row, open, Show.of(model).now()));
    if (found.state().isSettled()) {
      model.addAttribute("paid", manifests.paid(found));
    }
    return found;
  }

  /** The verbs that make sense in the state of a period, and that the caller may decide on. */
  private static List<String> acts(
      Period period, Map<String, @Nullable Object> row, Pending open, Instant now) {
    Instant due = period.closesAt();
    String hold = open.hold() == null ? "hold" : "lift-hold";
    String close = row.get("failure") == null ? "close" : "restart";
    return switch (period.state()) {
      case OPEN ->
          now.isBefore(period.slot().startsAt())
              ? List.of(hold)
              : due == null
                  ? List.of(hold, "rebuild")
                  : now.isBefore(due)
                      ? List.of("extend", hold, "rebuild")
                      : open.repair() == null
                          ? List.of(close, hold, "rebuild")
                          : List.of("rebuild", close, hold);
      case SEALED, FILLED ->
          open.repair() == null ? List.of(close, hold, "rebuild") : List.of("rebuild", close, hold);
      case APPROVED -> List.of(close, "rebuild");
      case HELD ->
          open.refusal() == null
              ? List.of("approve", "reject", "verify")
              : List.of("reject", "verify");
      case REJECTED -> List.of("restart");
      case SETTLED, EXPIRED ->
          open.revision() == null ? List.of("amend", "verify") : List.of("verify");
    };
  }
}
