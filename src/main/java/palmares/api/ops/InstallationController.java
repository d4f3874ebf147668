package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.InputSentences.DidYouMean;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.Listing.Body;
import palmares.api.ops.Listing.Status;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.Position;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;
import palmares.operations.memory.MemoryReport;
import palmares.operations.memory.MemoryUse;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.RunHistory;
import palmares.operations.report.RunHistory.RunSummary;
import palmares.operations.report.RunHistory.Step;
import palmares.operations.report.TierHistory;
import palmares.operations.report.TierHistory.TierMove;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.period.auditlog.AuditLog;
import palmares.period.auditlog.AuditLog.Stored;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Commands;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardDescription;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.nightly.NightlyVerification;
import palmares.settlement.nightly.NightlyVerification.NightlyResult;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryAttempt;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;

@RestController
class InstallationController implements InstallationResource {
  private static final int MAX_ROWS_IN_TABLE = 20;
  private static final int MAX_ENTRIES_IN_TABLE = 50;
  private static final int MAX_ITEMS_IN_TABLE = 100;
  private static final int QUARANTINE_CURSOR_KEYS = 3;

  private static final OutputTable<InboxItem> INBOX =
      new OutputTable<InboxItem>()
          .time("since", InboxItem::since)
          .text("kind", item -> item.kind().word())
          .text("board", InboxItem::board)
          .text("period", InboxItem::period)
          .wrapped("object", InboxItem::object)
          .said("detail", InboxItem::said)
          .said("next", InboxItem::next, item -> commands(item.next()));

  private static final OutputTable<RunSummary> RUNS =
      new OutputTable<RunSummary>()
          .text("board", RunSummary::board)
          .text("period", RunSummary::period)
          .text("started", RunSummary::startedAt)
          .text("took", InstallationController::took)
          .text("outcome", RunSummary::outcome)
          .text("step", RunSummary::step)
          .wrapped("by", RunSummary::owner)
          .text("cause", RunSummary::cause)
          .said("detail", InstallationController::detail);

  private static final OutputTable<StepOfRun> STEPS =
      new OutputTable<StepOfRun>()
          .number("run", row -> row.run().id())
          .text("step", row -> row.step().step())
          .text("slice", row -> row.step().slice())
          .text("state", StepOfRun::state)
          .text("started", row -> row.step().startedAt())
          .text("ended", StepOfRun::endedAt)
          .number("done", row -> row.step().done())
          .number("total", row -> row.step().total())
          .text("unit", row -> row.step().unit())
          .number(
              "per_second",
              row -> row.step().perSecond() == null ? null : Math.round(row.step().perSecond()))
          .text("left", row -> seconds(row.step().secondsLeft()))
          .said("failure", StepOfRun::failure);

  private static final OutputTable<Stored> AUDIT =
      new OutputTable<Stored>()
          .time("at", Stored::at)
          .wrapped("change", stored -> stored.entry().verb())
          .wrapped("object", stored -> stored.entry().object())
          .wrapped("by", stored -> stored.entry().by())
          .wrapped("reason", stored -> stored.entry().reason())
          .wrapped(
              "details",
              stored -> stored.entry().details().isEmpty() ? null : stored.entry().details());

  private static final OutputTable<NightlyResult> NIGHTS =
      new OutputTable<NightlyResult>()
          .text("night", NightlyResult::night)
          .text("began", NightlyResult::startedAt)
          .text(
              "took",
              night -> DisplayFormat.duration(Duration.between(night.startedAt(), night.endedAt())))
          .time("since", NightlyResult::since)
          .number("periods", NightlyResult::periods)
          .number("differences", NightlyResult::differences)
          .said("first", NightlyResult::first);

  private static final OutputTable<DeliveryStatus> TARGETS =
      new OutputTable<DeliveryStatus>()
          .text("target", DeliveryStatus::name)
          .wrapped("address", DeliveryStatus::address)
          .time("since", DeliveryStatus::since)
          .number("delivered", DeliveryStatus::delivered)
          .number("backlog", DeliveryStatus::waiting)
          .text("last", DeliveryStatus::deliveredAt)
          .text("next_try", status -> status.parkedAt() != null ? "parked" : status.retryAt())
          .said("last_error", DeliveryStatus::failure);

  private static final OutputTable<DeliveryAttempt> ATTEMPTS =
      new OutputTable<DeliveryAttempt>()
          .time("started", DeliveryAttempt::startedAt)
          .text("target", DeliveryAttempt::target)
          .text("outcome", DeliveryAttempt::outcome)
          .number("answer", DeliveryAttempt::answer)
          .number("took_ms", DeliveryAttempt::tookMs)
          .number("facts", DeliveryAttempt::facts)
          .text("delivery", DeliveryAttempt::batch)
          .said("error", DeliveryAttempt::failure);

  private static final OutputTable<QuarantinedEntry> QUARANTINE =
      new OutputTable<QuarantinedEntry>()
          .text("board", QuarantinedEntry::board)
          .text("period", QuarantinedEntry::period)
          .number("number", QuarantinedEntry::seq)
          .time("quarantined_at", QuarantinedEntry::at)
          .text("entry", QuarantinedEntry::entry)
          .text("error", QuarantinedEntry::error)
          .text("decision", QuarantinedEntry::resolution);

  private static final OutputTable<TierMove> MOVES =
      new OutputTable<TierMove>()
          .number("tier", TierMove::tier)
          .text("board", TierMove::board)
          .number("place", TierMove::place)
          .text("member", TierMove::member)
          .number("points", TierMove::points)
          .text("goes", InstallationController::goes);

  private static final OutputTable<PeriodMemory> MEMORY =
      new OutputTable<PeriodMemory>()
          .text("board", memory -> memory.board().value())
          .text("period", memory -> memory.period().value())
          .text("state", PeriodMemory::state)
          .number("keys", PeriodMemory::keys)
          .number("members", PeriodMemory::members)
          .number("bytes", PeriodMemory::bytes)
          .time("expires_at", PeriodMemory::expiresAt)
          .said("fate", memory -> memory.status().said());

  private static final OutputTable<Board> BOARDS =
      new OutputTable<Board>()
          .text("board", board -> board.id().value())
          .wrapped("title", Board::title)
          .text("zone", board -> board.zone().getId())
          .text("periods_like", board -> board.calendar().example())
          .text("grace", board -> board.grace().toString())
          .text("rules", board -> board.source().hash());

  private static final OutputTable<Node> NODES =
      new OutputTable<Node>()
          .wrapped("node", Node::name)
          .wrapped("process", Node::process)
          .text("roles", node -> String.join(", ", node.roles()))
          .wrapped("redis", Node::redis)
          .text("state", Node::state)
          .time("started", Node::startedAt)
          .time("seen", Node::seenAt)
          .time("swept", Node::sweptAt);

  private final Catalogue catalogue;
  private final Lookup lookup;
  private final Inbox inbox;
  private final PeriodTimeline timeline;
  private final RunHistory runs;
  private final ClosingForecast forecast;
  private final AuditLog auditLog;
  private final NightlyVerification verifications;
  private final Deliveries deliveries;
  private final MemoryReport memory;
  private final Quarantine quarantine;
  private final TierHistory tiers;
  private final Nodes nodes;

  InstallationController(
      Catalogue catalogue,
      Lookup lookup,
      Inbox inbox,
      PeriodTimeline timeline,
      RunHistory runs,
      ClosingForecast forecast,
      AuditLog auditLog,
      NightlyVerification verifications,
      Deliveries deliveries,
      MemoryReport memory,
      Quarantine quarantine,
      TierHistory tiers,
      Nodes nodes) {
    this.catalogue = catalogue;
    this.lookup = lookup;
    this.inbox = inbox;
    this.timeline = timeline;
    this.runs = runs;
    this.forecast = forecast;
    this.auditLog = auditLog;
    this.verifications = verifications;
    this.deliveries = deliveries;
    this.memory = memory;
    this.quarantine = quarantine;
    this.tiers = tiers;
    this.nodes = nodes;
  }

  @Override
  public Listing inbox(@Nullable String board, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    return Listing.page(
        INBOX,
        "nothing needs a person",
        page,
        MAX_ITEMS_IN_TABLE,
        2,
        (cursor, most) ->
            inbox.items(only).stream().filter(item -> isAfter(item, cursor)).limit(most).toList(),
        last -> PageCursor.of(last.order(), last.id()));
  }

  private static String commands(List<Next> next) {
    return next.stream().map(Commands::of).collect(Collectors.joining("\n"));
  }

  private static boolean isAfter(InboxItem item, @Nullable PageCursor cursor) {
    return cursor == null || item.isAfter(cursor.number(0), cursor.key(1));
  }

  @Override
  public Listing nodes() {
    return Listing.of(NODES, "no servers", nodes.all());
  }

  @Override
  public Listing boards() {
    return Listing.of(BOARDS, "no boards", List.copyOf(catalogue.all()));
  }

  @Override
  public Listing board(String board) {
    Board found = lookup.inForce(board);
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(
                out ->
                    out.write(
                        TerminalText.lines(
                            BoardDescription.of(
                                found, timeline.preview(found, BoardDescription.MAX_PERIODS)))))
            : Listing.of(BOARDS, "", List.of(found)).in(format);
  }

  @Override
  public Listing runs(
      @Nullable String board,
      @Nullable String period,
      boolean failed,
      boolean stack,
      PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name =
        board == null || period == null
            ? Lookup.nameOrAll(period)
            : lookup.period(board, period).name();
    var shown = new ArrayList<RunSummary>();
    Listing all =
        Listing.page(
            RUNS,
            "no runs",
            page,
            MAX_ROWS_IN_TABLE,
            1,
            (cursor, most) -> {
              shown.clear();
              shown.addAll(
                  runs.latest(
                      only, name, failed ? "failed" : null, PageCursor.number(cursor), most));
              return List.copyOf(shown);
            },
            last -> PageCursor.of(last.id()));
    return format -> {
      Body body = all.in(format);
      return stack && format == OutputFormat.TABLE
          ? withStacks(body, shown.subList(0, shown.size() - (body.next() == null ? 0 : 1)))
          : body;
    };
  }

  private static Body withStacks(Body body, List<RunSummary> shown) {
    return body.with(
        (out, raw) -> {
          body.content().write(out, raw);
          for (RunSummary run : shown) {
            out.write(stack(run).getBytes(UTF_8));
          }
        });
  }

  @Override
  public Listing steps(String board, String period, int count) {
    Period found = lookup.period(board, period);
    List<StepOfRun> steps =
        runs.timeline(found.board(), found.name(), Listing.limited(count)).stream()
            .flatMap(run -> run.steps().stream().map(step -> new StepOfRun(run.run(), step)))
            .toList();
    return Listing.of(STEPS, "no steps", steps)
        .noted(
            forecast.usual(List.of(found.board())).stream()
                .map(
                    usual ->
                        new ListingSentences.UsualTime(
                            usual.board(), duration(usual.seconds()), duration(usual.lateAfter())))
                .toList());
  }

  /** A step or slice, with what became of the run if that ended first. */
  private record StepOfRun(RunSummary run, Step step) {
    private static final Set<String> ENDS_EARLY = Set.of("running", "failed", "abandoned");

    private boolean isCutOff() {
      return step.endedAt() == null && run.endedAt() != null;
    }

    /** What became of it: {@code running}, {@code done}, {@code failed} or {@code abandoned}. */
    String state() {
      boolean isUnfinished = ENDS_EARLY.contains(run.outcome()) && step.endedAt() == null;
      return isUnfinished ? run.outcome() : "done";
    }

    /** When it ended, or the run before it did; null while it runs. */
    @Nullable Instant endedAt() {
      return step.endedAt() == null ? run.endedAt() : step.endedAt();
    }

    /** Why it failed; null if it did not. */
    @Nullable Sentence failure() {
      return isCutOff() ? run.failure() : null;
    }
  }

  private static @Nullable String seconds(@Nullable Double seconds) {
    return seconds == null ? null : DisplayFormat.duration(duration(seconds));
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }

  private static String stack(RunSummary run) {
    return run.stack() == null
        ? ""
        : "\n%s %s, started %s:\n".formatted(run.board(), run.period(), run.startedAt())
            + run.stack().lines().map(TerminalText::of).collect(Collectors.joining("\n", "", "\n"));
  }

  private static @Nullable String took(RunSummary run) {
    return run.endedAt() == null
        ? null
        : DisplayFormat.duration(Duration.between(run.startedAt(), run.endedAt()));
  }

  private static @Nullable Sentence detail(RunSummary run) {
    boolean hasNotes = !run.notes().isEmpty() && run.outcome().equals("settled");
    return hasNotes ? new ListSentences.All(run.notes()) : run.failure();
  }

  @Override
  public Listing auditLog(@Nullable String board, @Nullable String period, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    return Listing.page(
        AUDIT,
        "no entries",
        page,
        MAX_ENTRIES_IN_TABLE,
        1,
        (cursor, most) ->
            auditLog.list(
                only == null ? null : only.value(), period, PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  @Override
  public Listing verifications(PageRequest page) {
    boolean clean =
        verifications.latest(null, 1).stream().allMatch(night -> night.differences() == 0);
    return Listing.page(
            NIGHTS,
            "no night was verified yet",
            page,
            MAX_ROWS_IN_TABLE,
            1,
            (cursor, most) -> verifications.latest(PageCursor.day(cursor), most),
            last -> PageCursor.of(last.night()))
        .with(clean ? Status.OK : Status.FAILED);
  }

  @Override
  public Listing outbox(@Nullable String target) {
    List<DeliveryStatus> all = deliveries.all();
    requireTarget(all, target);
    List<DeliveryStatus> shown =
        all.stream().filter(status -> target == null || status.name().equals(target)).toList();
    boolean parked = shown.stream().anyMatch(status -> status.parkedAt() != null);
    return Listing.of(
            TARGETS,
            "no target: set palmares.outbox.webhook.url, palmares.outbox.stream.key or"
                + " palmares.outbox.mail.to",
            shown)
        .with(parked ? Status.FAILED : Status.OK);
  }

  @Override
  public Listing attempts(@Nullable String target, boolean failed, PageRequest page) {
    requireTarget(deliveries.all(), target);
    return Listing.page(
        ATTEMPTS,
        "no attempts",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> deliveries.attempts(target, failed, PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  /** Refuses a target that does not exist; null is none. */
  static void requireTarget(List<DeliveryStatus> all, @Nullable String target) {
    List<String> names = all.stream().map(DeliveryStatus::name).toList();
    if (target != null && !names.contains(target)) {
      throw Lookup.unknown(
          names.isEmpty()
              ? new MaintenanceSentences.NoTargets(target)
              : new MaintenanceSentences.NoTarget(target, names));
    }
  }

  @Override
  public Listing memory(@Nullable String board, int samples) {
    Lookup.atLeast(0, "samples", samples);
    MemoryUse use = memory.measure(lookup.boardOrAll(board), samples);
    var notes =
        Stream.<Sentence>concat(
                use.others().stream()
                    .map(
                        other ->
                            new ListingSentences.OtherKeys(
                                other.name(), other.keys(), other.bytes())),
                Stream.of(new ListingSentences.OfRedis(use.bytes(), use.used())))
            .toList();
    return Listing.of(MEMORY, "no keys of boards", use.boards()).noted(notes);
  }

  @Override
  public Listing quarantine(
      @Nullable String board, @Nullable String period, boolean all, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name =
        period == null ? null : lookup.period(Lookup.boardOf(only, period).value(), period).name();
    return Listing.page(
        QUARANTINE,
        "no quarantined entries",
        page,
        Listing.DEFAULT_COUNT,
        QUARANTINE_CURSOR_KEYS,
        (cursor, most) -> quarantine.list(only, name, all, position(cursor), most),
        last -> PageCursor.of(last.board(), last.startsAt(), last.seq()));
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null ? null : new Position(cursor.key(0), cursor.time(1), cursor.number(2));
  }

  @Override
  public Listing moves(String family, @Nullable String period) {
    List<BoardId> boards = tiers(family);
    if (boards.isEmpty() && !tiers.knows(family)) {
      throw unknownFamily(family);
    }
    PeriodName named = Lookup.nameOrAll(period);
    PeriodName name =
        named != null
            ? named
            : tiers
                .latest(boards)
                .orElseThrow(() -> notSettled(new ListingSentences.NothingSettled(family)));
    List<TierMove> moves = tiers.of(family, name);
    List<BoardId> unsettled = tiers.unsettled(boards, name);
    if (moves.isEmpty() && unsettled.equals(boards)) {
      throw notSettled(new ListingSentences.NoneSettled(family, name.value()));
    }
    return Listing.of(MOVES, "nobody moves in %s %s".formatted(family, name), moves)
        .with(unsettled.isEmpty() ? Status.OK : Status.FAILED)
        .noted(
            unsettled.stream()
                .map(board -> new ListingSentences.NotSettled(board.value(), name.value()))
                .toList());
  }

  private static ProblemException notSettled(Sentence said) {
    return new ProblemException(Problem.WRONG_STATE, said);
  }

  /** The boards of the family, the top tier first. */
  private List<BoardId> tiers(String family) {
    return catalogue.all().stream()
        .filter(board -> board.tier() != null && board.tier().family().equals(family))
        .sorted(Comparator.comparing(board -> Objects.requireNonNull(board.tier()).number()))
        .map(Board::id)
        .toList();
  }

  private ProblemException unknownFamily(String family) {
    var known =
        catalogue.all().stream()
            .filter(board -> board.tier() != null)
            .map(board -> Objects.requireNonNull(board.tier()).family())
            .collect(Collectors.toCollection(TreeSet::new));
    return Lookup.unknown(
        known.isEmpty()
            ? new ListingSentences.NoFamilies(family)
            : new ListingSentences.NoFamily(
                family, DidYouMean.of(family, known), List.copyOf(known)));
  }

  private static String goes(TierMove move) {
    return String.format(
        Locale.ROOT,
        "%s to %s",
        move.up() ? "up" : "down",
        move.toBoard() == null ? "tier " + move.toTier() : move.toBoard());
  }
}
