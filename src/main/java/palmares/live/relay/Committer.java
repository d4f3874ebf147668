package palmares.live.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.Decision;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * Commits events in groups. Events that arrive during a commit go into the next one, so that many
 * callers share one disk flush. A group is relayed on another thread while the next one commits, so
 * a Redis that hangs delays no commit.
 */
@Component
public class Committer {
  /** The largest number of queued events; more are refused, and callers send them again. */
  static final int MAX_QUEUED_EVENTS = 50_000;

  private static final int MAX_EVENTS_PER_COMMIT = 5_000;

  private final CommittedEvents committedEvents;
  private final RelayAttempts relay;
  private final TransactionTemplate transaction;
  private final Queue<Group> queue = new ArrayDeque<>();
  private int queuedEvents;
  private boolean isCommitting;

  Committer(CommittedEvents committedEvents, RelayAttempts relay, TransactionTemplate transaction) {
    this.committedEvents = committedEvents;
    this.relay = relay;
    this.transaction = transaction;
  }

  /** The events of one caller, and their result. */
  private static final class Group {
    private final List<RelayedEvent> events;

    /** Completed when the group is over, or when its caller is to commit the queue. */
    private final CompletableFuture<Void> turn = new CompletableFuture<>();

    private @Nullable Committed committed;
    private int position;
    private @Nullable RuntimeException failure;

    Group(List<RelayedEvent> events) {
      this.events = events;
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

    List<Decision> own(List<Decision> all) {
      return all.subList(position, position + events.size());
    }
  }

  /**
   * Several groups that one transaction has committed.
   *
   * @param relayed is completed after an attempt to relay them
   * @param decisions on all of their events; the first caller that needs it runs the task
   */
  private record Committed(CompletableFuture<Void> relayed, FutureTask<List<Decision>> decisions) {}

  /**
   * Commits the events, and relays them if possible without delay. An event that is not relayed yet
   * is accepted; its time does not depend on when it is relayed.
   *
   * @throws Refusal if the queue is full; none of the events is committed then
   */
  public List<Decision> commit(List<RelayedEvent> events) {
    if (events.isEmpty()) {
      return List.of();
    }
    var own = new Group(List.copyOf(events));
    if (!enqueue(own)) {
      own.turn.join();
    }
    if (!own.isOver()) {
      commitUntilOver(own);
    }
    Committed committed = own.committed();
    relay.await(committed.relayed());
    committed.decisions().run(); // does nothing if another caller runs it already
    return own.own(result(committed.decisions()));
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

  /** Commits other callers' groups too, in the order of arrival, so the loop ends. */
  private void commitUntilOver(Group own) {
    try {
      while (!own.isOver()) {
        commitTogether(nextGroups());
      }
    } finally {
      passTurn();
    }
  }

  /**
   * Lets the next caller commit. All whose events are committed go on at the same time: with a
   * lock, each would have it for a moment, one after another, and the next commit would wait.
   */
  private synchronized void passTurn() {
    Group next = queue.peek();
    isCommitting = next != null;
    if (next != null) {
      next.turn.complete(null);
    }
  }

  /** Returns whether the caller is to commit. */
  private synchronized boolean enqueue(Group group) {
    if (queuedEvents > 0 && queuedEvents + group.events.size() > MAX_QUEUED_EVENTS) {
      throw new Refusal(Problem.BUSY, new RelaySentences.Queued(queuedEvents));
    }
    queue.add(group);
    queuedEvents += group.events.size();
    boolean isFirst = !isCommitting;
    isCommitting = true;
    return isFirst;
  }

  private synchronized List<Group> nextGroups() {
    var groups = new ArrayList<Group>();
    int size = 0;
    while (!queue.isEmpty() && size < MAX_EVENTS_PER_COMMIT) {
      Group next = queue.remove();
      groups.add(next);
      size += next.events.size();
    }
    queuedEvents -= size;
    return groups;
  }

  private void commitTogether(List<Group> groups) {
    try {
      var all = groups.stream().flatMap(group -> group.events.stream()).toList();
      List<Commit> commits = transaction.execute(status -> committedEvents.write(all));
      var committed =
          new Committed(
              relay.relayAsync(
                  commits.stream().map(commit -> commit.event().period()).distinct().toList(),
                  commits.stream().flatMap(commit -> Stream.ofNullable(commit.fresh())).toList()),
              new FutureTask<>(() -> committedEvents.decisions(commits)));
      int position = 0;
      for (Group group : groups) {
        group.position = position;
        group.committed = committed;
        position += group.events.size();
      }
    } catch (RuntimeException e) {
      groups.forEach(group -> group.failure = e);
    } finally {
      // After an Error, no caller may be left waiting.
      groups.stream()
          .filter(group -> !group.isOver())
          .forEach(group -> group.failure = new IllegalStateException("the commit failed"));
      groups.forEach(group -> group.turn.complete(null));
    }
  }
}
