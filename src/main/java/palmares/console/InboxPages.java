package palmares.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.ops.PageCursor;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.inbox.InboxItem;
import palmares.operations.report.LatestClosings;
import palmares.operations.report.RunHistory;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.outcome.PaymentSums.Sum;

/** Shows what needs a person, the oldest first, each with its next actions. */
@Console
class InboxPages {
  private static final int ROWS_PER_PAGE = 1_000;

  /** The oldest are on the first page; they usually have one cause. */
  private static final int ITEMS_PER_PAGE = 100;

  private static final int RECENT = 8;
  private static final Duration LATELY = Duration.ofDays(1);

  private final Api api;
  private final RunHistory runs;
  private final FirstSteps firstSteps;
  private final PendingCards pending;
  private final LatestClosings closings;
  private final InboxCount count;
  private final VerbForms verbs;
  private final Catalogue boards;

  InboxPages(
      Api api,
      RunHistory runs,
      FirstSteps firstSteps,
      PendingCards pending,
      LatestClosings closings,
      InboxCount count,
      VerbForms verbs,
      Catalogue boards) {
    this.api = api;
    this.runs = runs;
    this.firstSteps = firstSteps;
    this.pending = pending;
    this.closings = closings;
    this.count = count;
    this.verbs = verbs;
    this.boards = boards;
  }

  /**
   * An item as the page shows it.
   *
   * @param id differs from all other items
   * @param kind of its messages
   * @param about a board and period, or another name
   * @param batch the number of the batch that it is about; null for others
   * @param page where to read about it
   * @param since when it began; null if that is not known
   * @param verbs that may help
   */
  record View(
      String id,
      String kind,
      boolean isBad,
      String about,
      @Nullable Object batch,
      String page,
      @Nullable String since,
      Sentence said,
      List<TaskPages.Next> verbs) {}

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH)
  String inbox(@RequestParam(required = false) @Nullable String after, Model model) {
    PageCursor cursor = PageCursor.parse(after, 2);
    List<InboxItem> items = count.read();
    model.addAttribute("inboxCount", items.size());
    model.addAttribute("isInboxCountOld", false);
    List<InboxItem> rest =
        items.stream()
            .filter(item -> cursor == null || item.isAfter(cursor.number(0), cursor.key(1)))
            .toList();
    List<InboxItem> shown = rest.subList(0, Math.min(ITEMS_PER_PAGE, rest.size()));
    addWithVerbs(shown, model);
    model.addAttribute("count", items.size());
    model.addAttribute(
        "more", shown.size() < rest.size() ? cursor(shown.get(ITEMS_PER_PAGE - 1)) : null);
    model.addAttribute("lately", closings.since(Show.of(model).now().minus(LATELY)));
    Rows pauses = Rows.of(api.batches().pauses());
    Map<String, @Nullable Object> next = nextClosing(pauses);
    model.addAttribute("next", next);
    model.addAttribute("nextZone", next == null ? null : zone(next));
    model.addAttribute("running", runs.running());
    model.addAttribute(
        "recent",
        Rows.of(api.installation().runs(null, null, false, false, new PageRequest(RECENT, null)))
            .only("board", "period", "startedAt", "took", "outcome", "by")
            .renamed("by", "process"));
    model.addAttribute("pauses", pauses);
    firstSteps.addTo(model);
    return "inbox";
  }

  /** The number in the menu. A page that has an old one asks for it once it is shown. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/inbox-count")
  String count(Model model) {
    try {
      count.refresh();
    } catch (DataAccessException | TransactionException e) {
      // The page says so where it needs PostgreSQL itself; the menu keeps the number that it has.
    }
    model.addAttribute("inboxCount", count.known());
    model.addAttribute("isInboxCountOld", false);
    return "layout :: inbox-count";
  }

  @Requires({})
  @GetMapping({"/", Console.PATH + "/"})
  String withoutSlash() {
    return "redirect:" + Console.PATH;
  }

  private static String cursor(InboxItem last) {
    return PageCursor.of(last.order(), last.id()).text();
  }

  /** Adds items with the verbs that the caller may call, and why another person must approve. */
  private void addWithVerbs(List<InboxItem> shown, Model model) {
    var single = new LinkedHashMap<String, PeriodId>();
    var all = new LinkedHashSet<PeriodId>();
    for (InboxItem item : shown) {
      all.addAll(item.undecided());
      if (item.period() != null) {
        item.undecided().forEach(period -> single.put(item.object(), period));
      }
    }
    Map<String, Sentence> refusals = pending.refusals(single);
    Map<PeriodId, List<Sum>> sums = pending.sums(all);
    model.addAttribute(
        "stakes",
        shown.stream()
            .collect(
                Collectors.toMap(
                    InboxItem::id,
                    // A part of the periods' sums would look like the whole.
                    item ->
                        Stake.together(
                            sums.keySet().containsAll(item.undecided())
                                ? item.undecided().stream()
                                    .flatMap(id -> sums.getOrDefault(id, List.of()).stream())
                                    .toList()
                                : List.of()))));
    model.addAttribute(
        "items",
        shown.stream().map(item -> view(item, refusals.containsKey(item.object()))).toList());
    model.addAttribute("refusals", refusals);
  }

  private View view(InboxItem item, boolean isRefused) {
    return new View(
        item.id(),
        item.kind().word(),
        item.kind().isBad(),
        item.object(),
        batch(item),
        page(item),
        item.since() == null ? null : item.since().toString(),
        item.detail(),
        TaskPages.Next.of(item.next(), verbs).stream()
            .filter(verb -> !isRefused || !verb.word().equals("approve"))
            .toList());
  }

  private static @Nullable Object batch(InboxItem item) {
    return switch (item.kind()) {
      case BATCH, UNFINISHED -> item.next().get(0).fields().get("id");
      default -> null;
    };
  }

  private static String page(InboxItem item) {
    String board = "%s/boards/%s".formatted(Console.PATH, item.board());
    String period = item.period() == null ? board : board + "/periods/" + item.period();
    return switch (item.kind()) {
      case HELD, REJECTED, FAILED, OVERDUE, QUARANTINE, LIVE_BOARD, MISSING_LIST, MISSING_KEY ->
          period;
      case AMENDMENT -> period + "/revisions";
      // A period that was never opened has no page.
      case LATE -> item.offers("accept-late") ? period + "/late-events" : board;
      case ACCEPTED -> period + "/late-events";
      case WITHHELD, RELEASED -> period + "/withheld";
      case REDIS, SESSIONS, SCHEDULER -> Console.PATH + "/boards";
      case VERIFICATION, UNVERIFIED -> Console.PATH + "/verification";
      case DELIVERY -> Console.PATH + "/deliveries";
      case WALLET -> Console.PATH + "/wallet?kind=" + item.object();
      case WALLET_LIST -> Console.PATH + "/wallet";
      case LOCKED_OUT -> Console.PATH + "/people";
      case BATCH, UNFINISHED -> Console.PATH + "/tasks/" + item.next().get(0).fields().get("id");
    };
  }

  /**
   * The period that closes first, begun or not, of the boards that are not paused; null if none
   * does.
   */
  private @Nullable Map<String, @Nullable Object> nextClosing(Rows pauses) {
    Set<String> paused =
        pauses.rows().stream().map(row -> text(row, "board")).collect(Collectors.toSet());
    return Stream.of(PeriodState.OPEN.word(), PeriodState.UPCOMING)
        .flatMap(state -> inState(state).rows().stream())
        .filter(row -> row.get("closesAt") != null && !paused.contains(row.get("board")))
        .min(Comparator.comparing(row -> Instant.parse(text(row, "closesAt"))))
        .orElse(null);
  }

  private ZoneId zone(Map<String, @Nullable Object> period) {
    return boards.find(new BoardId(text(period, "board"))).map(Board::zone).orElse(ZoneOffset.UTC);
  }

  private Rows inState(String state) {
    return Rows.all(
        after ->
            api.periods()
                .list(null, state, null, null, false, new PageRequest(ROWS_PER_PAGE, after)));
  }

  private static String text(Map<String, @Nullable Object> row, String column) {
    return String.valueOf(row.get(column));
  }
}
