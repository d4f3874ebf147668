package palmares.intake;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;
import palmares.intake.Openings.Opening;
import palmares.intake.Routing.Task;
import palmares.live.Decision;
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

  Repeats(Openings openings, Decisions decisions) {
    this.openings = openings;
    this.decisions = decisions;
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
    List<Optional<Decision>> decided = decisions.before(asking);
    Set<Task> answered = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < asked.size(); i++) {
      if (decided.get(i).isPresent()) {
        answers.add(asking.get(i), decided.get(i).get());
        answered.add(asked.get(i));
      }
    }
    return tasks.stream().filter(task -> !answered.contains(task)).toList();
  }

  /** Whether the task may be the repeat of an event in the period before. */
  private static boolean isFresh(Task task) {
    Instant starts = task.opening().period().slot().startsAt();
    return task.isTimedByServer() && task.time().isBefore(starts.plus(task.board().grace()));
  }
}
