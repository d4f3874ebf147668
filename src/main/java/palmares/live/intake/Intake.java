package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoardHeld;
import palmares.live.board.Verdict;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.EventRouting.Task;
import palmares.live.intake.RepeatDetection.Routed;
import palmares.live.journal.DecidedEvents;
import palmares.period.Period;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;

/** Takes events: applies each to every live board that it feeds, and says what became of it. */
@Component
public class Intake {
  /** A board may be missing, and then its clock have gone on; more than that is not to be had. */
  private static final int MOST_ASKED = 3;

  private final EventRouting routing;
  private final PeriodOpening periodOpening;
  private final RepeatDetection repeatDetection;
  private final Decisions decisions;
  private final DecidedEvents decided;
  private final LateEvents late;

  Intake(
      EventRouting routing,
      PeriodOpening periodOpening,
      RepeatDetection repeatDetection,
      Decisions decisions,
      DecidedEvents decided,
      LateEvents late) {
    this.routing = routing;
    this.periodOpening = periodOpening;
    this.repeatDetection = repeatDetection;
    this.decisions = decisions;
    this.decided = decided;
    this.late = late;
  }

  /**
   * Takes the events in this order, and answers in the same.
   *
   * @throws RedisUnavailable if Redis refuses; sent again, what was taken is a duplicate
   * @throws LiveBoardHeld as well, if a board takes nothing for a while
   */
  public List<EventOutcome> take(List<Event> events, EventOrigin origin) {
    var answers = new BatchOutcome(events);
    var routed = new ArrayList<Routed>();
    for (int i = 0; i < events.size(); i++) {
      try {
        routed.addAll(route(answers, i, events.get(i), origin));
      } catch (Refusal refusal) {
        answers.refuse(i, refusal);
      }
    }
    var tasks = repeatDetection.answer(routed, answers);
    List<Decision> decided = decisions.of(tasks);
    for (int i = 0; i < tasks.size(); i++) {
      settle(answers, tasks.get(i), decided.get(i), origin);
    }
    answerLate(answers);
    return answers.outcomes();
  }

  private List<Routed> route(BatchOutcome answers, int index, Event event, EventOrigin origin) {
    var routed = new ArrayList<Routed>(2);
    for (Board board : routing.boards(event, origin)) {
      try {
        routed.add(new Routed(routing.task(index, event, board, origin), null));
      } catch (Refusal refusal) {
        routing
            .inPeriodBefore(index, event, board, origin)
            .ifPresentOrElse(
                before -> routed.add(new Routed(before, refusal)),
                () -> answers.add(index, OnBoard.refused(board.id(), null, refusal)));
      }
    }
    EventPoints.requireUse(
        event, routed.stream().map(each -> each.task().opening().rules()).toList());
    return routed;
  }

  /** Answers, or asks again where the live board was missing or its clock had gone on. */
  private void settle(BatchOutcome answers, Task first, Decision decided, EventOrigin origin) {
    Task task = first;
    Decision decision = decided;
    try {
      for (int asked = 1; isOpen(decision) && asked <= MOST_ASKED; asked++) {
        if (decision.verdict() == Verdict.OUTSIDE) {
          task = routing.again(task, origin, decision.occurredAt());
        } else if (decision.verdict() == Verdict.MISSING
            && !periodOpening.makeLive(task.opening())) {
          answers.add(task, Decision.late(task.time()));
          return;
        }
        decision = decisions.of(List.of(task)).get(0);
      }
      if (isOpen(decision)) {
        throw new Refusal(
            RefusalReason.NO_PERIOD,
            "%s does not hold the time %s"
                .formatted(task.opening().period().label(), decision.occurredAt()));
      }
      answers.add(task, decision);
    } catch (Refusal refusal) {
      answers.add(
          task.index(),
          OnBoard.refused(task.board().id(), task.opening().period().name(), refusal));
    }
  }

  private static boolean isOpen(Decision decision) {
    return switch (decision.verdict()) {
      case MISSING, OUTSIDE, WAITING -> true;
      default -> false;
    };
  }

  /** A late event may be the repeat of one that Redis has forgotten: the journal knows. */
  private void answerLate(BatchOutcome answers) {
    Map<DecidedEvents.Key, Decision> known =
        decided.find(answers.late().stream().map(late -> late.task().key()).toList());
    for (BatchOutcome.Late waiting : answers.late()) {
      Task task = waiting.task();
      Decision first = known.get(task.key());
      answers.conclude(task, first == null ? kept(task, waiting.decision()) : first);
    }
  }

  private Decision kept(Task task, Decision decision) {
    Period period = task.opening().period();
    return late.keep(period.board(), period.name(), task.event(), decision.occurredAt())
        ? decision
        : new Decision(Verdict.CONFLICT, 0, 0, decision.occurredAt(), null);
  }
}
