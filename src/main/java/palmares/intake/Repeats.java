package palmares.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.intake.Openings.Opening;
import palmares.intake.Routing.Task;
import palmares.live.Decision;
import palmares.live.LiveBoards;
import palmares.period.Period;

/**
 * Repeats over the turn of a period. Where the server's clock tells the period, an event that was
 * taken in the last second of one may be sent again in the first of the next: it must not count in
 * both, so the ids of the period before are asked too, for as long as its grace.
 */
@Component
class Repeats {
  private final Openings openings;
  private final LiveBoards live;

  Repeats(Openings openings, LiveBoards live) {
    this.openings = openings;
    this.live = live;
  }

  /** Answers the repeats among the tasks, and gives back the others. */
  List<Task> answer(List<Task> tasks, Answers answers) {
    var asked = new ArrayList<Task>();
    for (Task task : tasks) {
      before(task).ifPresent(opening -> asked.add(task.in(opening)));
    }
    return asked.isEmpty() ? tasks : answer(tasks, asked, answers);
  }

  private List<Task> answer(List<Task> tasks, List<Task> asked, Answers answers) {
    List<Optional<Decision>> decided = live.decided(asked.stream().map(Task::change).toList());
    var left = new ArrayList<>(tasks);
    for (int i = 0; i < asked.size(); i++) {
      Task task = asked.get(i);
      decided
          .get(i)
          .ifPresent(
              decision -> {
                answers.add(task, decision);
                left.removeIf(
                    other -> other.index() == task.index() && other.board() == task.board());
              });
    }
    return left;
  }

  /** The period before the task's, if the task may be the repeat of an event there. */
  private Optional<Opening> before(Task task) {
    Period period = task.opening().period();
    boolean fresh =
        task.change().occurredAt() == null
            && task.time().isBefore(period.slot().startsAt().plus(task.board().grace()));
    return fresh
        ? openings.opened(task.board(), period.slot().startsAt().minusNanos(1_000))
        : Optional.empty();
  }
}
