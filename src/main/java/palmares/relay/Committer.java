package palmares.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.Decision;

/**
 * Commits events in groups: whatever comes while a commit is under way goes into the next one, so
 * that many callers share one wait for the disk.
 */
@Component
public class Committer {
  /** So many events may wait; more are refused, and sent again by their callers. */
  static final int MOST_WAITING = 50_000;

  private static final int MOST_AT_ONCE = 5_000;

  private final CommittedEvents events;
  private final RelayAttempts relay;
  private final TransactionTemplate transaction;
  private final Queue<Group> waiting = new ArrayDeque<>();
  private final ReentrantLock turn = new ReentrantLock(true);
  private int waitingEvents;

  Committer(CommittedEvents events, RelayAttempts relay, TransactionTemplate transaction) {
    this.events = events;
    this.relay = relay;
    this.transaction = transaction;
  }

  /** What one caller brings, and what becomes of it. */
  private static final class Group {
    private final List<Delivery> deliveries;
    private @Nullable List<Decision> decisions;
    private @Nullable RuntimeException failure;

    Group(List<Delivery> deliveries) {
      this.deliveries = deliveries;
    }

    boolean isOver() {
      return decisions != null || failure != null;
    }

    List<Decision> result() {
      if (failure != null) {
        throw failure;
      }
      return Objects.requireNonNull(decisions);
    }
  }

  /**
   * Commits the events, and relays them if that can be at once. An event whose live board has not
   * taken it yet is accepted: it counts by the time that it was committed with.
   *
   * @throws CommitsFull if too many wait already; none of these is committed then
   */
  public List<Decision> commit(List<Delivery> deliveries) {
    if (deliveries.isEmpty()) {
      return List.of();
    }
    var own = new Group(List.copyOf(deliveries));
    enqueue(own);
    turn.lock();
    try {
      // Whoever has the turn commits for others too; first come, first served, so this ends.
      while (!own.isOver()) {
        commitTogether(nextGroups());
      }
    } finally {
      turn.unlock();
    }
    return own.result();
  }

  private synchronized void enqueue(Group group) {
    if (waitingEvents > 0 && waitingEvents + group.deliveries.size() > MOST_WAITING) {
      throw new CommitsFull(waitingEvents);
    }
    waiting.add(group);
    waitingEvents += group.deliveries.size();
  }

  private synchronized List<Group> nextGroups() {
    var groups = new ArrayList<Group>();
    int size = 0;
    for (Group next = waiting.peek(); next != null && size < MOST_AT_ONCE; next = waiting.peek()) {
      groups.add(waiting.remove());
      size += next.deliveries.size();
    }
    waitingEvents -= size;
    return groups;
  }

  private void commitTogether(List<Group> groups) {
    try {
      var all = groups.stream().flatMap(group -> group.deliveries.stream()).toList();
      List<Commit> commits =
          Objects.requireNonNull(transaction.execute(status -> events.write(all)));
      relay.now(commits.stream().map(commit -> commit.delivery().period()).distinct().toList());
      List<Decision> decisions = events.decisions(commits);
      int from = 0;
      for (Group group : groups) {
        int to = from + group.deliveries.size();
        group.decisions = decisions.subList(from, to);
        from = to;
      }
    } catch (RuntimeException e) {
      groups.forEach(group -> group.failure = e);
    } finally {
      // After an Error: nobody may wait for ever.
      groups.stream()
          .filter(group -> !group.isOver())
          .forEach(group -> group.failure = new IllegalStateException("the commit broke off"));
    }
  }
}
