package palmares.live.intake;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoards;
import palmares.live.board.Verdict;
import palmares.live.intake.EventRouting.Task;
import palmares.live.relay.CommittedEvents;
import palmares.live.relay.Committer;
import palmares.period.PeriodId;
import palmares.period.Periods;

/** Lets boards decide: fast ones in Redis at once, committed ones by way of PostgreSQL. */
@Component
class Decisions {
  private final LiveBoards live;
  private final Committer committer;
  private final CommittedEvents committed;
  private final Periods periods;
  private final TransactionTemplate transaction;
  private final Clock clock;

  Decisions(
      LiveBoards live,
      Committer committer,
      CommittedEvents committed,
      Periods periods,
      TransactionTemplate transaction,
      Clock clock) {
    this.live = live;
    this.committer = committer;
    this.committed = committed;
    this.periods = periods;
    this.transaction = transaction;
    this.clock = clock;
  }

  /**
   * In this order for tasks of one board. Fast boards come first: if Redis is down, that is all.
   */
  List<Decision> of(List<Task> tasks) {
    var fast = tasks.stream().filter(Predicate.not(Task::isCommitted)).toList();
    var safe = tasks.stream().filter(Task::isCommitted).toList();
    var applied = apply(fast).iterator();
    var relayed = committer.commit(safe.stream().map(Task::delivery).toList()).iterator();
    return tasks.stream()
        .map(task -> task.isCommitted() ? relayed.next() : applied.next())
        .toList();
  }

  /**
   * Redis may have lost a seal, or remember one that was never recorded. What arrives now is late
   * by the one clock, never asked of Redis. A history is late if the period's row says so; the row
   * is held meanwhile.
   */
  private List<Decision> apply(List<Task> tasks) {
    if (tasks.stream().anyMatch(Decisions::isHistory)) {
      return Objects.requireNonNull(
          transaction.execute(
              status -> {
                Set<PeriodId> open =
                    periods.holdOpen(tasks.stream().map(Task::period).toList()).keySet();
                return apply(tasks, task -> open.contains(task.period()));
              }));
    }
    Instant now = clock.instant();
    return apply(tasks, task -> !task.opening().period().isOver(now));
  }

  private static boolean isHistory(Task task) {
    return task.change().arrival() == Arrival.ANY;
  }

  private List<Decision> apply(List<Task> tasks, Predicate<Task> isOpen) {
    var applied = applyToOpen(tasks.stream().filter(isOpen).toList()).iterator();
    var closed = tasks.stream().filter(isOpen.negate()).toList();
    var before =
        (closed.isEmpty() ? List.<Optional<Decision>>of() : live.decided(changes(closed)))
            .iterator();
    return tasks.stream()
        .map(task -> isOpen.test(task) ? applied.next() : decidedOrLate(task, before.next()))
        .toList();
  }

  private List<Decision> applyToOpen(List<Task> tasks) {
    if (tasks.isEmpty()) {
      return List.of();
    }
    var decisions = new ArrayList<>(live.apply(changes(tasks)));
    List<Integer> sealedInRedis =
        IntStream.range(0, tasks.size())
            .filter(i -> decisions.get(i).verdict() == Verdict.LATE)
            .filter(i -> isHistory(tasks.get(i)))
            .boxed()
            .toList();
    if (!sealedInRedis.isEmpty()) {
      List<Task> again = sealedInRedis.stream().map(tasks::get).toList();
      again.stream().map(task -> task.opening().period()).distinct().forEach(live::unseal);
      var decided = live.apply(changes(again)).iterator();
      sealedInRedis.forEach(i -> decisions.set(i, decided.next()));
    }
    return decisions;
  }

  private static Decision decidedOrLate(Task task, Optional<Decision> decided) {
    return decided
        .filter(decision -> decision.verdict() != Verdict.MISSING)
        .orElseGet(() -> Decision.late(task.time()));
  }

  private static List<BoardChange> changes(List<Task> tasks) {
    return tasks.stream().map(Task::change).toList();
  }

  /** What the boards have decided on the tasks before, where they have. */
  List<Optional<Decision>> before(List<Task> tasks) {
    var fast = tasks.stream().filter(Predicate.not(Task::isCommitted)).toList();
    var safe = tasks.stream().filter(Task::isCommitted).toList();
    var applied =
        (fast.isEmpty() ? List.<Optional<Decision>>of() : live.decided(changes(fast))).iterator();
    var kept = committed.before(safe.stream().map(Task::delivery).toList()).iterator();
    return tasks.stream().map(task -> task.isCommitted() ? kept.next() : applied.next()).toList();
  }
}
