package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.EventRouting.Task;
import palmares.period.Period;

/** Collects what became of each event of a batch, in the order of the batch. */
final class BatchOutcome {
  private final List<Event> events;
  private final List<List<OnBoard>> boards;
  private final @Nullable Refusal[] refusals;
  private final List<Late> late = new ArrayList<>();

  BatchOutcome(List<Event> events) {
    this.events = events;
    this.boards = new ArrayList<>(events.size());
    events.forEach(event -> boards.add(new ArrayList<>(2)));
    this.refusals = new Refusal[events.size()];
  }

  /** The event reaches no board at all. */
  void refuse(int event, Refusal refusal) {
    refusals[event] = refusal;
  }

  void add(int event, OnBoard answer) {
    boards.get(event).add(answer);
  }

  /** A late decision, which waits for a look into the journal. */
  record Late(Task task, Decision decision) {}

  void add(Task task, Decision decision) {
    if (decision.verdict() == Verdict.LATE) {
      late.add(new Late(task, decision));
    } else {
      conclude(task, decision);
    }
  }

  List<Late> late() {
    return late;
  }

  void conclude(Task task, Decision decision) {
    add(task.index(), onBoard(task, decision));
  }

  List<EventOutcome> outcomes() {
    var outcomes = new ArrayList<EventOutcome>(events.size());
    for (int i = 0; i < events.size(); i++) {
      Refusal refusal = refusals[i];
      String id = events.get(i).id();
      outcomes.add(
          refusal == null ? EventOutcome.of(id, boards.get(i)) : EventOutcome.refused(id, refusal));
    }
    return outcomes;
  }

  private static OnBoard onBoard(Task task, Decision decision) {
    Period period = task.opening().period();
    Verdict told =
        decision.verdict() == Verdict.DUPLICATE && decision.first() != null
            ? decision.first()
            : decision.verdict();
    RefusalReason reason = reason(told);
    return new OnBoard(
        period.board(),
        period.name(),
        kind(decision.verdict()),
        reason,
        reason == null ? null : DecisionDetails.of(task, told, decision),
        changed(decision),
        switch (decision.verdict()) {
          case ACCEPTED, DUPLICATE, LATE, CONFLICT -> null;
          default -> decision.points();
        });
  }

  /** A refused event has changed nothing; a duplicate is told what the first one changed. */
  private static long changed(Decision decision) {
    return switch (kind(decision.verdict())) {
      case APPLIED, UNDONE, DUPLICATE -> decision.change();
      default -> 0;
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
      case OUTSIDE, MISSING, WAITING, REBUILDING, BACKLOG, FORGOTTEN, OUT_OF_STEP ->
          throw new IllegalStateException("undecided: " + verdict);
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
      default -> null;
    };
  }
}
