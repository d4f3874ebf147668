package palmares.intake;

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
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.intake.Openings.Opening;
import palmares.intake.Routing.Task;
import palmares.journal.DecidedEvents;
import palmares.live.Decision;
import palmares.live.Verdict;
import palmares.period.PeriodId;

/**
 * Repeats over the turn of a period. Where the server's clock tells the period, an event that was
 * taken in the last second of one may be sent again in the first of the next: it must not count in
 * both, so the ids of the period before are asked too, for as long as its grace.
 */
@Component
class Repeats {
  private final Openings openings;
  private final Decisions decisions;
  private final DecidedEvents journal;

  Repeats(Openings openings, Decisions decisions, DecidedEvents journal) {
    this.openings = openings;
    this.decisions = decisions;
    this.journal = journal;
  }

  /** Answers the repeats among the tasks, and gives back the others. */
  List<Task> answer(List<Task> tasks, Answers answers) {
    var before = new HashMap<PeriodId, Optional<Opening>>();
    var asked = new ArrayList<Task>();
    var asking = new ArrayList<Task>();
    for (Task task : tasks) {
      if (isFresh(task)) {
        before
            .computeIfAbsent(task.opening().period().id(), id -> openings.before(task.opening()))
            .ifPresent(
                opening -> {
                  asked.add(task);
                  asking.add(task.in(opening));
                });
      }
    }
    return asked.isEmpty() ? tasks : answer(tasks, asked, asking, answers);
  }

  private List<Task> answer(
      List<Task> tasks, List<Task> asked, List<Task> asking, Answers answers) {
    List<Optional<Decision>> decided = known(asking, decisions.before(asking));
    Set<Task> answered = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < asked.size(); i++) {
      if (decided.get(i).isPresent()) {
        answers.add(asking.get(i), decided.get(i).get());
        answered.add(asked.get(i));
      }
    }
    return tasks.stream().filter(task -> !answered.contains(task)).toList();
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
