package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import palmares.live.board.BoardChange;
import palmares.live.board.Decision;
import palmares.live.board.Event;
import palmares.live.board.Verdict;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.EventRouter.RoutedEvent;
import palmares.period.Period;
import palmares.platform.text.Sentence;
import palmares.rules.board.Action;
import palmares.rules.board.Action.OncePer;
import palmares.rules.board.Scale;
import palmares.rules.board.Scale.Scoring;

/** Collects the outcome of each event of a batch, in the order of the batch. */
final class BatchOutcome {
  private final List<Event> events;
  private final List<List<OnBoard>> boards;
  private final @Nullable EventRefusal[] refusals;
  private final List<Late> late = new ArrayList<>();

  BatchOutcome(List<Event> events) {
    this.events = events;
    this.boards = new ArrayList<>(events.size());
    events.forEach(event -> boards.add(new ArrayList<>(2)));
    this.refusals = new EventRefusal[events.size()];
  }

  /** Records that the event reaches no board. */
  void refuse(int event, EventRefusal refusal) {
    refusals[event] = refusal;
  }

  void add(int event, OnBoard outcome) {
    boards.get(event).add(outcome);
  }

  /** A late decision. It is final only after a search in the journal for an earlier copy. */
  record Late(RoutedEvent routed, Decision decision) {}

  void add(RoutedEvent routed, Decision decision) {
    if (decision.verdict() == Verdict.LATE) {
      late.add(new Late(routed, decision));
    } else {
      addFinal(routed, decision);
    }
  }

  List<Late> late() {
    return late;
  }

  void addFinal(RoutedEvent routed, Decision decision) {
    add(routed.index(), onBoard(routed, decision));
  }

  /** Returns the outcomes on boards that are known, if not all of them are. */
  List<EventOutcome> known() {
    return IntStream.range(0, events.size())
        .filter(event -> !boards.get(event).isEmpty())
        .mapToObj(event -> EventOutcome.of(events.get(event).id(), boards.get(event)))
        .toList();
  }

  List<EventOutcome> outcomes() {
    var outcomes = new ArrayList<EventOutcome>(events.size());
    for (int i = 0; i < events.size(); i++) {
      EventRefusal refusal = refusals[i];
      String id = events.get(i).id();
      outcomes.add(
          refusal == null ? EventOutcome.of(id, boards.get(i)) : EventOutcome.refused(id, refusal));
    }
    return outcomes;
  }

  private static OnBoard onBoard(RoutedEvent routed, Decision decision) {
    Period period = routed.opening().period();
    Verdict verdict = decision.originalVerdict();
    RefusalReason reason = reason(verdict);
    return new OnBoard(
        period.board(),
        period.name(),
        kind(decision.verdict()),
        reason,
        reason == null ? null : why(routed, verdict, decision),
        change(decision),
        switch (decision.verdict()) {
          case ACCEPTED, DUPLICATE, LATE, CONFLICT -> null;
          default -> decision.points();
        });
  }

  /** A refused event changed nothing; a duplicate reports the change of the first event. */
  private static long change(Decision decision) {
    return switch (kind(decision.verdict())) {
      case APPLIED, UNDONE, DUPLICATE -> decision.change();
      case ACCEPTED, LATE, REFUSED -> 0;
    };
  }

  private static Kind kind(Verdict verdict) {
    return switch (verdict) {
      case APPLIED -> Kind.APPLIED;
      case ACCEPTED -> Kind.ACCEPTED;
      case UNDONE -> Kind.UNDONE;
      case LATE -> Kind.LATE;
      case DUPLICATE -> Kind.DUPLICATE;
      case REPEATED,
          NOTHING_TO_UNDO,
          UNCHANGED,
          CAPPED,
          DISCARDED,
          CONFLICT,
          FULL,
          FULL_THEN,
          FULL_SUM,
          EXHAUSTED ->
          Kind.REFUSED;
      case OUTSIDE, MISSING, WAITING, REBUILDING, TORN, GAP, BACKLOG, FORGOTTEN, OUT_OF_STEP ->
          throw new IllegalStateException("not a final verdict: " + verdict);
    };
  }

  private static @Nullable RefusalReason reason(Verdict verdict) {
    return switch (verdict) {
      case REPEATED -> RefusalReason.REPEATED;
      case NOTHING_TO_UNDO -> RefusalReason.NOTHING_TO_UNDO;
      case UNCHANGED -> RefusalReason.NOT_BETTER;
      case CAPPED -> RefusalReason.CAPPED;
      case CONFLICT -> RefusalReason.CONFLICTING_ID;
      case FULL, FULL_SUM -> RefusalReason.MAX_POINTS;
      case FULL_THEN -> RefusalReason.MAX_THEN_BY;
      case EXHAUSTED -> RefusalReason.MAX_EVENTS;
      case LATE -> RefusalReason.LATE;
      case APPLIED,
          UNDONE,
          ACCEPTED,
          DUPLICATE,
          DISCARDED,
          OUTSIDE,
          MISSING,
          WAITING,
          REBUILDING,
          TORN,
          GAP,
          BACKLOG,
          FORGOTTEN,
          OUT_OF_STEP ->
          null;
    };
  }

  private static Sentence why(RoutedEvent routed, Verdict verdict, Decision decision) {
    Event event = routed.event();
    Period period = routed.opening().period();
    Scale scale = routed.opening().rules().scale();
    return switch (verdict) {
      case REPEATED -> repeated(routed);
      case NOTHING_TO_UNDO -> EventPoints.nothingToUndo(event, day(routed), period.label());
      case UNCHANGED -> unchanged(routed, scale);
      case CAPPED -> capped(routed);
      case CONFLICT -> new EventSentences.IdTaken(event.id(), period.label());
      case FULL ->
          new EventSentences.MaxPoints(
              event.member().value(),
              period.label(),
              decision.points(),
              decision.change(),
              scale.maxPoints());
      case FULL_THEN ->
          new EventSentences.MaxThenBy(
              event.member().value(), period.label(), event.thenBy(), scale.maxThen());
      case FULL_SUM -> new EventSentences.MaxSum(period.label());
      case EXHAUSTED -> new EventSentences.MaxEvents(period.label(), scale.maxEvents());
      case LATE -> new EventSentences.Late(period.label());
      case APPLIED,
          UNDONE,
          ACCEPTED,
          DUPLICATE,
          DISCARDED,
          OUTSIDE,
          MISSING,
          WAITING,
          REBUILDING,
          TORN,
          GAP,
          BACKLOG,
          FORGOTTEN,
          OUT_OF_STEP ->
          throw new IllegalStateException("not a refusal: " + verdict);
    };
  }

  private static Sentence unchanged(RoutedEvent routed, Scale scale) {
    Event event = routed.event();
    String member = event.member().value();
    String period = routed.opening().period().label();
    return scale.scoring() == Scoring.LATEST
        ? new EventSentences.LaterHeld(member, period, event.value())
        : new EventSentences.NotBetter(member, period, event.value());
  }

  /** The day on which the action counts once; null if that is not by day. */
  private static @Nullable String day(RoutedEvent routed) {
    BoardChange.Day day = routed.change().day();
    return day != null && routed.change().action().oncePer().isOfDay() ? day.name() : null;
  }

  private static Sentence repeated(RoutedEvent routed) {
    Event event = routed.event();
    String member = event.member().value();
    String period = routed.opening().period().label();
    OncePer oncePer = routed.change().action().oncePer();
    if (!oncePer.isOfSubject()) {
      return new EventSentences.DoneOnce(member, event.action(), period, oncePer.unit());
    }
    String day = day(routed);
    return day == null
        ? new EventSentences.DoneToSubject(member, event.action(), event.subject(), period)
        : new EventSentences.DoneToSubjectOnDay(
            member, event.action(), event.subject(), day, period);
  }

  private static Sentence capped(RoutedEvent routed) {
    Action action = routed.change().action();
    return new EventSentences.Capped(
        routed.event().member().value(),
        action.name(),
        routed.opening().period().label(),
        action.maxPerDay() > 0 ? new EventSentences.PerDay(action.maxPerDay()) : null,
        action.maxPerPeriod() > 0 ? new EventSentences.PerPeriod(action.maxPerPeriod()) : null);
  }
}
