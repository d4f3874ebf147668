package palmares.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.ops.Listing.Status;
import palmares.api.ops.PageCursor;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.FailedAmendments;
import palmares.operations.batches.Batches.UndecidedPeriod;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.lateevents.LateEventReview.UndecidedEvents;
import palmares.operations.report.LatestClosings;
import palmares.operations.report.PendingDecisions;
import palmares.operations.report.PendingDecisions.Sum;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Entry;
import palmares.operations.report.PeriodList.Filter;
import palmares.operations.report.PeriodList.Position;
import palmares.operations.report.RunHistory;
import palmares.operations.signals.InstallationHealth;
import palmares.period.PeriodId;
import palmares.period.PeriodState;

/** Shows what needs a person, the oldest first, each with its next actions. */
@Console
class InboxPages {
  private static final int ROWS_PER_PAGE = 1_000;

  /** The oldest are on the first page; they usually have one cause. */
  private static final int ITEMS_PER_PAGE = 100;

  /** Sorts after all times. */
  private static final String AFTER_ALL_TIMES = "~";

  private static final int RECENT = 8;
  private static final Duration LATELY = Duration.ofDays(1);

  private final Api api;
  private final PeriodList periods;
  private final LateEventReview lateEvents;
  private final Batches batches;
  private final RunHistory runs;
  private final InstallationHealth health;
  private final FirstSteps firstSteps;
  private final PendingCards pending;
  private final PendingDecisions decisions;
  private final LatestClosings closings;
  private final InboxCount count;
  private final VerbForms verbs;
  private final Clock clock;

  InboxPages(
      Api api,
      PeriodList periods,
      LateEventReview lateEvents,
      Batches batches,
      RunHistory runs,
      InstallationHealth health,
      FirstSteps firstSteps,
      PendingCards pending,
      PendingDecisions decisions,
      LatestClosings closings,
      InboxCount count,
      VerbForms verbs,
      Clock clock) {
    this.api = api;
    this.periods = periods;
    this.lateEvents = lateEvents;
    this.batches = batches;
    this.runs = runs;
    this.health = health;
    this.firstSteps = firstSteps;
    this.pending = pending;
    this.decisions = decisions;
    this.closings = closings;
    this.count = count;
    this.verbs = verbs;
    this.clock = clock;
  }

  /**
   * Something that needs a person.
   *
   * @param kind of its messages
   * @param about a board and period, or another name
   * @param page where to read about it
   * @param since when it began; null if that is not known
   * @param verbs the words of the verbs that may help, with their paths
   * @param undecided the labels of the periods on whose outcome a person decides with it
   */
  record Item(
      String kind,
      boolean isBad,
      String about,
      String page,
      @Nullable String since,
      @Nullable String text,
      Map<String, String> verbs,
      Set<String> undecided) {

    Item(
        String kind,
        boolean isBad,
        String about,
        String page,
        @Nullable String since,
        @Nullable String text,
        Map<String, String> verbs) {
      this(kind, isBad, about, page, since, text, verbs, Set.of());
    }

    /** The oldest first, and those without a time last. */
    String order() {
      return since == null ? AFTER_ALL_TIMES : since;
    }

    /** Differs from all other items: one period may have several, each with other verbs. */
    String id() {
      return kind + " " + about + " " + verbs.values();
    }

    String cursor() {
      return PageCursor.of(order(), id()).text();
    }

    /** The same without some of its verbs. */
    Item only(Predicate<String> wanted) {
      var left = new LinkedHashMap<>(verbs);
      left.keySet().removeIf(wanted.negate());
      return new Item(kind, isBad, about, page, since, text, left, undecided);
    }
  }

  /** After the item with these keys, in the order of the list. */
  private static boolean isAfter(Item item, @Nullable PageCursor cursor) {
    return cursor == null
        || Arrays.compare(
                new String[] {item.order(), item.id()}, new String[] {cursor.key(0), cursor.key(1)})
            > 0;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH)
  String inbox(@RequestParam(required = false) @Nullable String after, Model model) {
    PageCursor cursor = PageCursor.parse(after, 2);
    var items = new ArrayList<Item>();
    Map<String, PeriodId> undecided = collect(items);
    items.sort(Comparator.comparing(Item::order).thenComparing(Item::id));
    count.set(items.size());
    model.addAttribute("inboxCount", items.size());
    model.addAttribute("isInboxCountOld", false);
    List<Item> rest = items.stream().filter(item -> isAfter(item, cursor)).toList();
    List<Item> shown = rest.subList(0, Math.min(ITEMS_PER_PAGE, rest.size()));
    addWithVerbs(shown, undecided, model);
    model.addAttribute("count", items.size());
    model.addAttribute(
        "more", shown.size() < rest.size() ? shown.get(ITEMS_PER_PAGE - 1).cursor() : null);
    model.addAttribute("lately", closings.since(clock.instant().minus(LATELY)));
    Rows pauses = Rows.of(api.batches().pauses());
    model.addAttribute("next", nextClosing(pauses));
    model.addAttribute("running", runs.running());
    model.addAttribute(
        "recent",
        Rows.of(api.installation().runs(null, null, false, false, RECENT, null))
            .only("board", "period", "started", "took", "outcome", "by"));
    model.addAttribute("pauses", pauses);
    model.addAttribute("troubles", health.troubles());
    firstSteps.addTo(model);
    return "inbox";
  }

  /** Returns the periods on whose outcome a person must decide, by their labels. */
  private Map<String, PeriodId> collect(List<Item> items) {
    Map<String, PeriodId> undecided = periods(items);
    lateEvents(items);
    verification(items);
    deliveries(items);
    quarantine(items);
    batches(items);
    failedAmendments(items);
    return undecided;
  }

  /** The number in the menu. A page that has an old one asks for it once it is shown. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/inbox-count")
  String count(Model model) {
    try {
      var items = new ArrayList<Item>();
      collect(items);
      count.set(items.size());
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

  /** Adds items with the verbs that the caller may call, and why another person must approve. */
  private void addWithVerbs(List<Item> shown, Map<String, PeriodId> undecided, Model model) {
    var ids = new LinkedHashMap<>(undecided);
    ids.keySet()
        .retainAll(
            shown.stream().flatMap(item -> item.undecided().stream()).collect(Collectors.toSet()));
    Map<String, String> refusals = pending.refusals(ids);
    Map<PeriodId, List<Sum>> sums = decisions.sumsByPeriod(ids.values());
    model.addAttribute(
        "stakes",
        shown.stream()
            .map(Item::undecided)
            .distinct()
            .collect(
                Collectors.toMap(
                    labels -> labels,
                    labels ->
                        Stake.together(
                            labels.stream()
                                .map(ids::get)
                                .flatMap(id -> sums.getOrDefault(id, List.of()).stream())
                                .toList()))));
    model.addAttribute(
        "items",
        shown.stream()
            .map(
                item ->
                    item.only(
                        word ->
                            verbs.mayCall(word)
                                && !(word.equals("approve") && refusals.containsKey(item.about()))))
            .toList());
    model.addAttribute("refusals", refusals);
  }

  /** Returns those of the periods on whose outcome a person must decide, by their labels. */
  private Map<String, PeriodId> periods(List<Item> items) {
    var undecided = new LinkedHashMap<String, PeriodId>();
    List<Entry> page;
    Position after = null;
    do {
      page = periods.list(new Filter(null, null, null, null, true), after, ROWS_PER_PAGE);
      for (Entry entry : page) {
        items.add(period(entry));
        after = entry.position();
        if (entry.state() == PeriodState.HELD || entry.undecided() != null) {
          undecided.put(entry.label(), entry.id());
        }
      }
    } while (page.size() == ROWS_PER_PAGE);
    return undecided;
  }

  private static Item period(Entry period) {
    return switch (period.state()) {
      case HELD -> item("held", false, period, period.waitsFor(), "approve", "reject");
      case REJECTED -> item("rejected", true, period, null, "restart");
      case SETTLED, EXPIRED -> amendment(period);
      case OPEN, SEALED, FILLED, APPROVED ->
          period.failure() == null
              ? item("overdue", true, period, period.leaseOwner(), "close")
              : item("failed", true, period, period.failure(), "restart");
    };
  }

  private static Item amendment(Entry period) {
    String page = page(period.board(), period.period()) + "/revisions";
    String revision = "&revision=" + period.undecided();
    return new Item(
        "amendment",
        false,
        period.label(),
        page,
        time(period.waitsSince()),
        period.waitsFor(),
        verbs(period.board(), period.period(), revision, "approve", "reject"),
        Set.of(period.label()));
  }

  private static @Nullable String time(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static Item item(
      String kind, boolean isBad, Entry period, @Nullable String text, String... words) {
    return new Item(
        kind,
        isBad,
        period.label(),
        page(period.board(), period.period()),
        time(period.waitsSince() == null ? period.closesAt() : period.waitsSince()),
        text,
        verbs(period.board(), period.period(), "", words),
        period.state() == PeriodState.HELD ? Set.of(period.label()) : Set.of());
  }

  private static String page(String board, String period) {
    return "%s/boards/%s/periods/%s".formatted(Console.PATH, board, period);
  }

  private static Map<String, String> verbs(
      String board, String period, String more, String... words) {
    return Arrays.stream(words)
        .collect(
            Collectors.toMap(
                word -> word,
                word ->
                    UriComponentsBuilder.fromPath(Console.PATH + "/verbs/" + word)
                            .queryParam("board", board)
                            .queryParam("period", period)
                            .build()
                            .encode()
                            .toUriString()
                        + more,
                (first, second) -> first,
                LinkedHashMap::new));
  }

  private void lateEvents(List<Item> items) {
    for (UndecidedEvents late : lateEvents.undecided()) {
      items.add(
          new Item(
              "late",
              false,
              late.board() + " " + late.period(),
              page(late.board(), late.period()) + "/late-events",
              late.since().toString(),
              late.events() + "",
              verbs(late.board(), late.period(), "", "accept-late", "dismiss-late")));
    }
  }

  private void verification(List<Item> items) {
    Rows last = Rows.of(api.installation().verifications(1, null));
    if (last.status() == Status.FAILED && !last.isEmpty()) {
      items.add(
          new Item(
              "verification",
              true,
              text(last.first(), "night"),
              Console.PATH + "/verification",
              find(last.first(), "began"),
              find(last.first(), "first"),
              Map.of("verify", Console.PATH + "/verbs/verify")));
    }
  }

  private void deliveries(List<Item> items) {
    for (var row : Rows.of(api.installation().outbox(null)).rows()) {
      String next = find(row, "next_try");
      if (next != null && next.startsWith("parked")) {
        String target = text(row, "target");
        items.add(
            new Item(
                "delivery",
                true,
                target,
                Console.PATH + "/deliveries",
                find(row, "last"),
                find(row, "last_error"),
                Map.of(
                    "retry",
                    UriComponentsBuilder.fromPath(Console.PATH + "/verbs/retry")
                        .queryParam("target", target)
                        .build()
                        .encode()
                        .toUriString())));
      }
    }
  }

  private void quarantine(List<Item> items) {
    for (var row :
        Rows.all(after -> api.installation().quarantine(null, null, false, ROWS_PER_PAGE, after))
            .rows()) {
      String board = text(row, "board");
      String period = text(row, "period");
      items.add(
          new Item(
              "quarantine",
              true,
              board + " " + period,
              page(board, period),
              find(row, "quarantined_at"),
              find(row, "error"),
              verbs(board, period, "&numbers=" + row.get("number"), "release", "discard")));
    }
  }

  /** Shows the outcomes that a batch has prepared as one thing. */
  private void batches(List<Item> items) {
    if (items.stream().noneMatch(InboxPages::isUndecided)) {
      return;
    }
    Map<Long, Set<String>> labels = new LinkedHashMap<>();
    for (UndecidedPeriod period : batches.undecided()) {
      labels
          .computeIfAbsent(period.batch(), batch -> new HashSet<>())
          .add(period.board() + " " + period.period());
    }
    labels.forEach(
        (batch, periods) -> {
          List<Item> undecided =
              items.stream()
                  .filter(item -> isUndecided(item) && periods.contains(item.about()))
                  .toList();
          if (undecided.size() > 1) {
            items.removeAll(undecided);
            items.add(
                batch(
                    batches.get(batch),
                    undecided.stream().map(Item::about).collect(Collectors.toSet())));
          }
        });
  }

  /** A period whose closing failed in a batch is listed without it; one not amended is not. */
  private void failedAmendments(List<Item> items) {
    for (FailedAmendments failed : batches.failedAmendments()) {
      Batch batch = batches.get(failed.batch());
      items.add(
          new Item(
              "unfinished",
              true,
              about(batch),
              page(batch),
              time(batch.madeAt()),
              failed.periods() + "",
              Map.of("resume-batch", Console.PATH + "/verbs/resume-batch?id=" + batch.id())));
    }
  }

  private static String about(Batch batch) {
    return "%s, %s".formatted(batch.verb().word(), batch.target());
  }

  private static String page(Batch batch) {
    return Console.PATH + "/batches/" + batch.id();
  }

  private static boolean isUndecided(Item item) {
    return item.kind().equals("amendment") || item.kind().equals("held");
  }

  private static Item batch(Batch batch, Set<String> periods) {
    String query = "?id=" + batch.id();
    var verbs = new LinkedHashMap<String, String>();
    verbs.put("approve-batch", Console.PATH + "/verbs/approve-batch" + query);
    verbs.put("reject-batch", Console.PATH + "/verbs/reject-batch" + query);
    return new Item(
        "batch",
        false,
        about(batch),
        page(batch),
        time(batch.madeAt()),
        "%d (%s: %s)".formatted(periods.size(), batch.by(), batch.reason()),
        verbs,
        periods);
  }

  /** The open period that closes first, of the boards that are not paused; null if none does. */
  private @Nullable Map<String, @Nullable Object> nextClosing(Rows pauses) {
    Set<String> paused =
        pauses.rows().stream().map(row -> text(row, "board")).collect(Collectors.toSet());
    return Rows.all(
            after -> api.periods().list(null, "open", null, null, false, ROWS_PER_PAGE, after))
        .rows()
        .stream()
        .filter(row -> row.get("closes_at") != null && !paused.contains(row.get("board")))
        .min(Comparator.comparing(row -> Instant.parse(text(row, "closes_at"))))
        .orElse(null);
  }

  private static String text(Map<String, @Nullable Object> row, String column) {
    return String.valueOf(row.get(column));
  }

  private static @Nullable String find(Map<String, @Nullable Object> row, String column) {
    Object value = row.get(column);
    return value == null || value.toString().isEmpty() ? null : value.toString();
  }
}
