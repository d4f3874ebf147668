package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.UnknownSentences;
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
import palmares.period.auditlog.AuditDetails;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.auditlog.AuditLog.Stored;
import palmares.period.exclusion.ExclusionSentences.ListOfBoardMissing;
import palmares.period.exclusion.Exclusions.MissingList;
import palmares.period.exclusion.NamedLists;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.nodes.Nodes;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Commands;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardDescription;
import palmares.rules.boardfiles.BoardFile;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryAttempt;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.schedule.NightlyVerification;

@RestController
class InstallationController implements InstallationResource {
  private static final int MAX_ROWS_IN_TABLE = 20;
  private static final int MAX_ENTRIES_IN_TABLE = 50;
  private static final int MAX_ITEMS_IN_TABLE = 100;
  private static final int QUARANTINE_CURSOR_KEYS = 3;

  private static final OutputTable<InboxItem> INBOX =
      OutputTable.of(InboxItem.class).lines("next", row -> commands(row.next()));

  private static final OutputTable<RunRow> RUNS = OutputTable.of(RunRow.class);
  private static final OutputTable<StepRow> STEPS = OutputTable.of(StepRow.class);
  private static final OutputTable<AuditRow> AUDIT =
      OutputTable.of(AuditRow.class).shown("details", InstallationController::details);
  private static final OutputTable<VerificationRow> NIGHTS = OutputTable.of(VerificationRow.class);
  private static final OutputTable<TargetRow> TARGETS = OutputTable.of(TargetRow.class);

  private static final OutputTable<DeliveryAttempt> ATTEMPTS =
      OutputTable.of(DeliveryAttempt.class);

  private static final OutputTable<QuarantinedEntry> QUARANTINE =
      OutputTable.of(QuarantinedEntry.class);
  private static final OutputTable<TierMove> MOVES = OutputTable.of(TierMove.class);
  private static final OutputTable<PeriodMemory> MEMORY = OutputTable.of(PeriodMemory.class);
  private static final OutputTable<BoardRow> BOARDS = OutputTable.of(BoardRow.class);
  private static final OutputTable<Node> NODES = OutputTable.of(Node.class);

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
  private final NamedLists lists;

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
      Nodes nodes,
      NamedLists lists) {
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
    this.lists = lists;
  }

  @Override
  public Rows<InboxItem> inbox(@Nullable String board, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    return Listing.page(
        INBOX,
        "inbox",
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
  public Rows<Node> nodes() {
    return Listing.of(NODES, "servers", nodes.all());
  }

  @Override
  public Rows<BoardRow> boards() {
    return Listing.of(
        BOARDS, "boards", catalogue.all().stream().map(InstallationController::row).toList());
  }

  private static BoardRow row(Board board) {
    return new BoardRow(
        board.id().value(),
        board.title(),
        board.zone().getId(),
        board.calendar().example(),
        board.grace().toString(),
        board.source().hash());
  }

  @Override
  public Rows<BoardRow> board(String board) {
    Board found = lookup.inForce(board);
    return described(List.of(found));
  }

  private Rows<BoardRow> described(Collection<Board> boards) {
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(
                out ->
                    out.write(
                        TerminalText.lines(
                            boards.stream()
                                .map(
                                    board ->
                                        BoardDescription.of(
                                            board,
                                            timeline.preview(board, BoardDescription.MAX_PERIODS)))
                                .collect(Collectors.joining("\n")))))
            : Listing.of(BOARDS, "", boards.stream().map(InstallationController::row).toList())
                .in(format);
  }

  @Override
  public Rows<BoardRow> checkBoards(BoardFilesRequest body) {
    Catalogue boards = read(Lookup.required("files", body.files()));
    List<MissingList> missing = lists.missing(boards.all());
    var notes = new ArrayList<Sentence>();
    missing.forEach(each -> notes.add(new ListOfBoardMissing(each.board(), each.list())));
    boards.all().forEach(board -> rests(board).forEach(notes::add));
    return described(shown(boards, body.board()))
        .noted(notes)
        .then(
            missing.stream()
                .map(each -> Next.of("create-list").with("list", each.list()))
                .distinct()
                .toList())
        .with(missing.isEmpty() ? Status.OK : Status.FAILED);
  }

  private static Collection<Board> shown(Catalogue boards, @Nullable String only) {
    return only == null
        ? boards.all()
        : List.of(
            BoardId.parse(only)
                .flatMap(boards::find)
                .orElseThrow(
                    () ->
                        Lookup.unknown(
                            UnknownSentences.Board.of(
                                only,
                                boards.all().stream().map(each -> each.id().value()).toList()))));
  }

  private static Catalogue read(Map<String, String> files) {
    try {
      var all = new ArrayList<BoardFile>();
      files.forEach((name, text) -> all.add(new BoardFile(name, text)));
      return BoardFiles.read(all);
    } catch (BoardFilesException e) {
      throw Lookup.invalid("files", e.said());
    }
  }

  /** Says which periods no file names, and that would pay the prizes of another one again. */
  private Stream<Sentence> rests(Board board) {
    return board.payout().rules().isEmpty()
        ? Stream.of()
        : timeline.preview(board, BoardDescription.MAX_PERIODS).stream()
            .flatMap(
                slot ->
                    CalendarTiling.restOf(board.calendar(), slot).stream()
                        .map(
                            whole ->
                                new ListingSentences.RestOfPeriod(
                                    board.id().value(),
                                    whole.name().value(),
                                    slot.startsAt(),
                                    slot.endsAt(),
                                    slot.name().value())));
  }

  @Override
  public Rows<RunRow> runs(
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
    Rows<RunRow> all =
        Listing.page(
            RUNS,
            "runs",
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
            run ->
                new RunRow(
                    run.board(),
                    run.period(),
                    run.startedAt(),
                    took(run),
                    run.outcome(),
                    run.step(),
                    run.owner(),
                    run.cause(),
                    detail(run)),
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
  public Rows<StepRow> steps(String board, String period, int count) {
    Period found = lookup.period(board, period);
    List<StepRow> steps =
        runs.timeline(found.board(), found.name(), Listing.limited(count)).stream()
            .flatMap(run -> run.steps().stream().map(step -> new StepOfRun(run.run(), step).row()))
            .toList();
    return Listing.of(STEPS, "steps", steps)
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

    StepRow row() {
      return new StepRow(
          run.id(),
          step.step(),
          step.slice(),
          state(),
          step.startedAt(),
          endedAt(),
          step.done(),
          step.total(),
          step.unit(),
          step.perSecond() == null ? null : Math.round(step.perSecond()),
          step.secondsLeft() == null ? null : duration(step.secondsLeft()),
          failure());
    }

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

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }

  private static String stack(RunSummary run) {
    return run.stack() == null
        ? ""
        : "\n%s %s, started %s:\n".formatted(run.board(), run.period(), run.startedAt())
            + run.stack().lines().map(TerminalText::of).collect(Collectors.joining("\n", "", "\n"));
  }

  private static @Nullable Duration took(RunSummary run) {
    return run.endedAt() == null ? null : Duration.between(run.startedAt(), run.endedAt());
  }

  private static @Nullable Sentence detail(RunSummary run) {
    boolean hasNotes = !run.notes().isEmpty() && run.outcome().equals("settled");
    return hasNotes ? new ListSentences.All(run.notes()) : run.failure();
  }

  @Override
  public Rows<AuditRow> auditLog(
      @Nullable String board, @Nullable String period, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    return Listing.page(
        AUDIT,
        "audit-entries",
        page,
        MAX_ENTRIES_IN_TABLE,
        1,
        (cursor, most) ->
            auditLog.list(
                only == null ? null : only.value(), period, PageCursor.number(cursor), most),
        InstallationController::row,
        last -> PageCursor.of(last.id()));
  }

  private static @Nullable String details(AuditRow row) {
    return row.details() == null ? null : new AuditDetails(row.details()).toString();
  }

  private static AuditRow row(Stored stored) {
    AuditEntry entry = stored.entry();
    return new AuditRow(
        stored.at(),
        entry.verb(),
        entry.object(),
        entry.by(),
        entry.reason(),
        entry.details().isEmpty() ? null : entry.details().values());
  }

  @Override
  public Rows<VerificationRow> verifications(PageRequest page) {
    boolean clean =
        verifications.latest(null, 1).stream().allMatch(night -> night.differences() == 0);
    return Listing.page(
            NIGHTS,
            "nights",
            page,
            MAX_ROWS_IN_TABLE,
            1,
            (cursor, most) -> verifications.latest(PageCursor.day(cursor), most),
            night ->
                new VerificationRow(
                    night.night(),
                    night.startedAt(),
                    Duration.between(night.startedAt(), night.endedAt()),
                    night.since(),
                    night.periods(),
                    night.differences(),
                    night.first()),
            last -> PageCursor.of(last.night()))
        .with(clean ? Status.OK : Status.FAILED);
  }

  @Override
  public Rows<TargetRow> outbox(@Nullable String target) {
    List<DeliveryStatus> all = deliveries.all();
    requireTarget(all, target);
    List<DeliveryStatus> shown =
        all.stream().filter(status -> target == null || status.name().equals(target)).toList();
    boolean parked = shown.stream().anyMatch(status -> status.parkedAt() != null);
    return Listing.of(TARGETS, "targets", shown.stream().map(InstallationController::row).toList())
        .with(parked ? Status.FAILED : Status.OK);
  }

  private static TargetRow row(DeliveryStatus status) {
    return new TargetRow(
        status.name(),
        status.address(),
        status.since(),
        status.delivered(),
        status.waiting(),
        status.deliveredAt(),
        status.parkedAt() != null,
        status.parkedAt() != null ? null : status.retryAt(),
        status.failure());
  }

  @Override
  public Rows<DeliveryAttempt> attempts(@Nullable String target, boolean failed, PageRequest page) {
    requireTarget(deliveries.all(), target);
    return Listing.page(
        ATTEMPTS,
        "attempts",
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
  public Rows<PeriodMemory> memory(@Nullable String board, int samples) {
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
    return Listing.of(MEMORY, "board-keys", use.boards()).noted(notes);
  }

  @Override
  public Rows<QuarantinedEntry> quarantine(
      @Nullable String board, @Nullable String period, boolean all, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name =
        period == null ? null : lookup.period(Lookup.boardOf(only, period).value(), period).name();
    return Listing.page(
        QUARANTINE,
        "quarantine",
        page,
        Listing.DEFAULT_COUNT,
        QUARANTINE_CURSOR_KEYS,
        (cursor, most) -> quarantine.list(only, name, all, position(cursor), most),
        last -> PageCursor.of(last.board(), last.startsAt(), last.number()));
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null ? null : new Position(cursor.key(0), cursor.time(1), cursor.number(2));
  }

  @Override
  public Rows<TierMove> moves(String family, @Nullable String period) {
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
    return Listing.of(MOVES, "moves", moves)
        .with(unsettled.isEmpty() ? Status.OK : Status.FAILED)
        .noted(
            unsettled.stream()
                .map(board -> new ListingSentences.NotSettled(board.value(), name.value()))
                .toList());
  }

  private static Refusal notSettled(Sentence said) {
    return new Refusal(Problem.WRONG_STATE, said);
  }

  /** The boards of the family, the top tier first. */
  private List<BoardId> tiers(String family) {
    return catalogue.all().stream()
        .filter(board -> board.tier() != null && board.tier().family().equals(family))
        .sorted(Comparator.comparing(board -> Objects.requireNonNull(board.tier()).number()))
        .map(Board::id)
        .toList();
  }

  private Refusal unknownFamily(String family) {
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
}
