package palmares.live.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.Decision;

/**
 * Commits events in groups: whatever comes while a commit is under way goes into the next one, so
 * that many callers share one wait for the disk. A group is relayed apart, while the next one
 * commits: a Redis that hangs holds up no commit.
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
    private final List<RelayedEvent> deliveries;
    private @Nullable Committed committed;
    private int position;
    private @Nullable RuntimeException failure;

    Group(List<RelayedEvent> deliveries) {
      this.deliveries = deliveries;
    }

    boolean isOver() {
      return committed != null || failure != null;
    }

    Committed committed() {
      if (failure != null) {
        throw failure;
      }
      return Objects.requireNonNull(committed);
    }

    List<Decision> of(List<Decision> all) {
      return all.subList(position, position + deliveries.size());
    }
  }

  /**
   * Groups that one transaction has committed.
   *
   * @param relayed is completed once it was tried to relay them
   * @param decisions what became of all of them, read by the first group that is to be answered
   */
  private record Committed(CompletableFuture<Void> relayed, FutureTask<List<Decision>> decisions) {}

  /**
   * Commits the events, and relays them if that can be at once. An event whose live board has not
   * taken it yet is accepted: it counts by the time that it was committed with.
   *
   * @throws RelayBacklogFull if too many wait already; none of these is committed then
   */
  public List<Decision> commit(List<RelayedEvent> deliveries) {
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
    Committed committed = own.committed();
    relay.await(committed.relayed());
    committed.decisions().run(); // nothing if somebody has begun
    return own.of(result(committed.decisions()));
  }

  private static <T> T result(FutureTask<T> task) {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted; the events are committed", e);
    }
  }

  private synchronized void enqueue(Group group) {
    if (waitingEvents > 0 && waitingEvents + group.deliveries.size() > MOST_WAITING) {
      throw new RelayBacklogFull(waitingEvents);
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
      var committed =
          new Committed(
              relay.soon(commits.stream().map(commit -> commit.delivery().period()).toList()),
              new FutureTask<>(() -> events.decisions(commits)));
      int position = 0;
      for (Group group : groups) {
        group.position = position;
        group.committed = committed;
        position += group.deliveries.size();
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
