package palmares.intake;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import palmares.intake.Routing.Task;
import palmares.live.Decision;
import palmares.live.LiveBoards;
import palmares.relay.CommittedEvents;
import palmares.relay.Committer;

/** Lets boards decide: fast ones in Redis at once, committed ones by way of PostgreSQL. */
@Component
class Decisions {
  private final LiveBoards live;
  private final Committer committer;
  private final CommittedEvents committed;

  Decisions(LiveBoards live, Committer committer, CommittedEvents committed) {
    this.live = live;
    this.committer = committer;
    this.committed = committed;
  }

  /**
   * In this order for tasks of one board. Fast boards come first: if Redis is down, that is all.
   */
  List<Decision> of(List<Task> tasks) {
    var fast = tasks.stream().filter(Predicate.not(Task::isCommitted)).toList();
    var safe = tasks.stream().filter(Task::isCommitted).toList();
    var applied =
        (fast.isEmpty()
                ? List.<Decision>of()
                : live.apply(fast.stream().map(Task::change).toList()))
            .iterator();
    var relayed = committer.commit(safe.stream().map(Task::delivery).toList()).iterator();
    return tasks.stream()
        .map(task -> task.isCommitted() ? relayed.next() : applied.next())
        .toList();
  }

  /** What the boards have decided on the tasks before, where they have. */
  List<Optional<Decision>> before(List<Task> tasks) {
    var fast = tasks.stream().filter(Predicate.not(Task::isCommitted)).toList();
    var safe = tasks.stream().filter(Task::isCommitted).toList();
    var applied =
        (fast.isEmpty()
                ? List.<Optional<Decision>>of()
                : live.decided(fast.stream().map(Task::change).toList()))
            .iterator();
    var kept = committed.before(safe.stream().map(Task::delivery).toList()).iterator();
    return tasks.stream().map(task -> task.isCommitted() ? kept.next() : applied.next()).toList();
  }
}
