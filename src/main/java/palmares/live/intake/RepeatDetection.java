package palmares.live.intake;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.EventRouting.Task;
import palmares.live.intake.PeriodOpening.Opening;
import palmares.live.journal.DecidedEvents;
import palmares.period.PeriodId;

/**
 * Repeats over the turn of a period. Where the server's clock tells the period, an event that was
 * taken in the last second of one may be sent again in the first of the next: it must not count in
 * both, so the ids of the period before are asked too, for as long as its grace. So they are where
 * no period follows, or one whose rules refuse the event.
 */
@Component
class RepeatDetection {
  private final PeriodOpening periodOpening;
  private final Decisions decisions;
  private final DecidedEvents journal;

  RepeatDetection(PeriodOpening periodOpening, Decisions decisions, DecidedEvents journal) {
    this.periodOpening = periodOpening;
    this.decisions = decisions;
    this.journal = journal;
  }

  /**
   * An event on its way to one board.
   *
   * @param task in the period before if the event can count in none now
   * @param refusal why it cannot; null if it can
   */
  record Routed(Task task, @Nullable Refusal refusal) {}

  /** Answers the repeats, and those that cannot count now; gives back the others. */
  List<Task> answer(List<Routed> routed, BatchOutcome answers) {
    var before = new HashMap<PeriodId, Optional<Opening>>();
    var asked = new ArrayList<Routed>();
    var asking = new ArrayList<Task>();
    for (Routed each : routed) {
      Task task = each.task();
      if (each.refusal() != null) {
        asked.add(each);
        asking.add(task);
      } else if (isFresh(task)) {
        before
            .computeIfAbsent(
                task.opening().period().id(), id -> periodOpening.before(task.opening()))
            .ifPresent(
                opening -> {
                  asked.add(each);
                  asking.add(task.in(opening));
                });
      }
    }
    Set<Task> answered = answer(asked, asking, answers);
    return routed.stream().map(Routed::task).filter(task -> !answered.contains(task)).toList();
  }

  private Set<Task> answer(List<Routed> asked, List<Task> asking, BatchOutcome answers) {
    Set<Task> answered = Collections.newSetFromMap(new IdentityHashMap<>());
    if (asked.isEmpty()) {
      return answered;
    }
    List<Optional<Decision>> decided = known(asking, decisions.before(asking));
    for (int i = 0; i < asked.size(); i++) {
      Task task = asked.get(i).task();
      Refusal refusal = asked.get(i).refusal();
      if (decided.get(i).isPresent()) {
        answers.add(asking.get(i), decided.get(i).get());
        answered.add(task);
      } else if (refusal != null) {
        answers.add(task.index(), OnBoard.refused(task.board().id(), null, refusal));
        answered.add(task);
      }
    }
    return answered;
  }

  /** Where the live board cannot tell, the journal may. */
  private List<Optional<Decision>> known(List<Task> asking, List<Optional<Decision>> decided) {
    var keys = new HashMap<Integer, DecidedEvents.Key>();
    for (int i = 0; i < asking.size(); i++) {
      if (decided.get(i).filter(told -> told.verdict() == Verdict.MISSING).isPresent()) {
        keys.put(i, asking.get(i).key());
      }
    }
    if (keys.isEmpty()) {
      return decided;
    }
    Map<DecidedEvents.Key, Decision> kept = find(keys.values());
    var known = new ArrayList<>(decided);
    keys.forEach((i, key) -> known.set(i, Optional.ofNullable(kept.get(key))));
    return known;
  }

  private Map<DecidedEvents.Key, Decision> find(Collection<DecidedEvents.Key> keys) {
    try {
      return journal.find(keys);
    } catch (DataAccessException away) {
      return Map.of(); // events go on
    }
  }

  /** Whether the task may be the repeat of an event in the period before. */
  private static boolean isFresh(Task task) {
    Instant starts = task.opening().period().slot().startsAt();
    return task.isTimedByServer() && task.time().isBefore(starts.plus(task.board().grace()));
  }
}
