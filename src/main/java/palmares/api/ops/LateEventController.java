package palmares.api.ops;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.operations.lateevents.LateEvent;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.lateevents.LateEventReview.EvaluatedLateEvent;
import palmares.operations.lateevents.LateEventReview.Position;
import palmares.operations.lateevents.LateEventSentences;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

@RestController
class LateEventController implements LateEventResource {
  private static final int MAX_ROWS_IN_TABLE = 100;
  private static final int CURSOR_KEYS = 4;

  private static final OutputTable<LateEventRow> COLUMNS = OutputTable.of(LateEventRow.class);

  private final Tasks tasks;
  private final PeriodFinder finder;
  private final Lookup lookup;
  private final LateEventReview review;
  private final LateEventDecisions decisions;

  LateEventController(
      Tasks tasks,
      PeriodFinder finder,
      Lookup lookup,
      LateEventReview review,
      LateEventDecisions decisions) {
    this.tasks = tasks;
    this.finder = finder;
    this.lookup = lookup;
    this.review = review;
    this.decisions = decisions;
  }

  @Override
  public Rows<LateEventRow> list(
      @Nullable String board, @Nullable String period, boolean undecided, PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name = period == null ? null : name(Lookup.boardOf(only, period), period);
    return Listing.page(
        COLUMNS,
        "late-events",
        page,
        MAX_ROWS_IN_TABLE,
        CURSOR_KEYS,
        (cursor, most) -> review.list(only, name, undecided, position(cursor), most),
        LateEventController::row,
        late -> {
          LateEvent last = late.event();
          return PageCursor.of(last.board(), last.period(), last.arrivedAt(), last.id());
        });
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null
        ? null
        : new Position(cursor.key(0), cursor.key(1), cursor.time(2), cursor.key(3));
  }

  /** The name of a period that was opened, or that has late events only. */
  private PeriodName name(BoardId board, String word) {
    return PeriodName.parse(word)
        .filter(name -> review.count(board, name, false) > 0)
        .orElseGet(() -> lookup.period(board.value(), word).name());
  }

  private static LateEventRow row(EvaluatedLateEvent late) {
    LateEvent event = late.event();
    return new LateEventRow(
        event.board(),
        event.period(),
        event.id(),
        event.member(),
        event.done(),
        event.occurredAt(),
        event.arrivedAt(),
        late.points() == null ? null : late.change(),
        late.points(),
        late.currentRank(),
        late.rank(),
        verdict(late),
        late.included(),
        reason(late));
  }

  private static @Nullable Verdict verdict(EvaluatedLateEvent late) {
    LateEvent.Decision decision = late.event().decision();
    return decision == null ? null : decision.verdict();
  }

  private static @Nullable Sentence reason(EvaluatedLateEvent late) {
    LateEvent.Decision decision = late.event().decision();
    return decision == null
        ? late.rejection()
        : new LateEventSentences.DecidedFor(decision.reason(), decision.by());
  }

  @Override
  public Task accept(String board, String period, Decision body, Call call) {
    return decide(Verdict.ACCEPTED, board, period, body, call);
  }

  @Override
  public Task dismiss(String board, String period, Decision body, Call call) {
    return decide(Verdict.DISMISSED, board, period, body, call);
  }

  private Task decide(Verdict verdict, String board, String periodWord, Decision body, Call call) {
    String reason = Lookup.reason(body.reason());
    List<String> ids = body.ids() == null ? List.of() : body.ids();
    Lookup.requireNamedOrAll("ids", ids.isEmpty() ? null : ids, body.all());
    boolean isUnopened = !finder.hasRow(board, periodWord);
    if (ids.isEmpty() && body.change() && (verdict == Verdict.ACCEPTED || isUnopened)) {
      throw Lookup.invalid("ids", new LateEventSentences.ChangeNeedsIds());
    }
    var request = new VerbRequest(verdict.word() + "-late-events", board, periodWord, reason, body);
    if (isUnopened) {
      return dismissUnopened(verdict, lookup.board(board), periodWord, ids, request, call);
    }
    Period period = finder.find(board, periodWord);
    return tasks.now(
        call.compared(),
        request,
        by -> {
          finder.unchanged(period, call).run();
          var choice = new Choice(verdict, by, reason, body.change());
          List<LateEvent> decided = decisions.decide(period, ids, choice);
          Result result = result(period.label(), decided.size(), verdict);
          return verdict == Verdict.ACCEPTED
              ? result
                  .and(List.of(new LateEventSentences.CountOnceAmended(period.label())))
                  .then(Next.of("amend", period.board(), period.name()))
              : result;
        });
  }

  /** Events of a period that was never opened could count nowhere. */
  private Task dismissUnopened(
      Verdict verdict,
      BoardId board,
      String periodWord,
      List<String> ids,
      VerbRequest request,
      Call call) {
    PeriodName name = name(board, periodWord);
    if (verdict != Verdict.DISMISSED) {
      throw new WrongState(new LateEventSentences.UnopenedPeriod(board + " " + name))
          .then(Next.of("dismiss-late", board, name));
    }
    call.requireUnconditional();
    return tasks.now(
        call.compared(),
        request,
        by ->
            result(
                board + " " + name,
                decisions.dismiss(board, name, ids, by, request.reason()).size(),
                verdict));
  }

  private static Result result(String label, int events, Verdict verdict) {
    return Result.done(new LateEventSentences.Decided(label, events, verdict));
  }
}
