package palmares.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.intake.Outcome.OnBoard;
import palmares.intake.Repeats.Routed;
import palmares.intake.Routing.Task;
import palmares.journal.DecidedEvents;
import palmares.live.Decision;
import palmares.live.LiveBoardHeld;
import palmares.live.LiveUnavailable;
import palmares.live.Verdict;
import palmares.period.Period;

/** Takes events: applies each to every live board that it feeds, and says what became of it. */
@Component
public class Intake {
  /** A board may be missing, and then its clock have gone on; more than that is not to be had. */
  private static final int MOST_ASKED = 3;

  private final Routing routing;
  private final Openings openings;
  private final Repeats repeats;
  private final Decisions decisions;
  private final DecidedEvents decided;
  private final LateEvents late;

  Intake(
      Routing routing,
      Openings openings,
      Repeats repeats,
      Decisions decisions,
      DecidedEvents decided,
      LateEvents late) {
    this.routing = routing;
    this.openings = openings;
    this.repeats = repeats;
    this.decisions = decisions;
    this.decided = decided;
    this.late = late;
  }

  /**
   * Takes the events in this order, and answers in the same.
   *
   * @throws LiveUnavailable if Redis refuses; sent again, what was taken is a duplicate
   * @throws LiveBoardHeld as well, if a board takes nothing for a while
   */
  public List<Outcome> take(List<Event> events, Origin origin) {
    var answers = new Answers(events);
    var routed = new ArrayList<Routed>();
    for (int i = 0; i < events.size(); i++) {
      try {
        routed.addAll(route(answers, i, events.get(i), origin));
      } catch (Refusal refusal) {
        answers.refuse(i, refusal);
      }
    }
    var tasks = repeats.answer(routed, answers);
    List<Decision> decided = decisions.of(tasks);
    for (int i = 0; i < tasks.size(); i++) {
      settle(answers, tasks.get(i), decided.get(i), origin);
    }
    answerLate(answers);
    return answers.outcomes();
  }

  private List<Routed> route(Answers answers, int index, Event event, Origin origin) {
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
    Worths.requireUse(event, routed.stream().map(each -> each.task().opening().rules()).toList());
    return routed;
  }

  /** Answers, or asks again where the live board was missing or its clock had gone on. */
  private void settle(Answers answers, Task first, Decision decided, Origin origin) {
    Task task = first;
    Decision decision = decided;
    try {
      for (int asked = 1; isOpen(decision) && asked <= MOST_ASKED; asked++) {
        if (decision.verdict() == Verdict.OUTSIDE) {
          task = routing.again(task, origin, decision.occurredAt());
        } else if (decision.verdict() == Verdict.MISSING && !openings.makeLive(task.opening())) {
          answers.add(task, Decision.late(task.time()));
          return;
        }
        decision = decisions.of(List.of(task)).get(0);
      }
      if (isOpen(decision)) {
        throw new Refusal(
            Reason.NO_PERIOD,
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
  private void answerLate(Answers answers) {
    Map<DecidedEvents.Key, Decision> known =
        decided.find(answers.late().stream().map(late -> late.task().key()).toList());
    for (Answers.Late waiting : answers.late()) {
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
