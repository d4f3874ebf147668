package palmares.live.board;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.ApplyCalls.ApplyRequest;
import palmares.platform.redis.RedisClient;

/**
 * Applies single events in shared calls. Events that arrive for a board during a call go into the
 * next one, so that many callers share a round trip. No event is deferred or fails because of
 * another.
 */
@Component
class SharedCalls {
  /** The largest number of lanes in memory; above it all are discarded. */
  private static final int MAX_LANES = 10_000;

  private final RedisClient redis;
  private final ApplyCalls calls;
  private final Map<LiveKeys, Lane> lanes = new ConcurrentHashMap<>();

  SharedCalls(RedisClient redis, ApplyCalls calls) {
    this.redis = redis;
    this.calls = calls;
  }

  /** An event whose caller waits for the answer. */
  private record Waiting(byte[] event, CompletableFuture<byte[]> answer) {}

  /** The waiting events of one board. */
  private static final class Lane {
    private final byte[][] keys;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean busy;

    Lane(LiveKeys keys) {
      this.keys = keys.all();
    }

    synchronized void add(Waiting one) {
      waiting.add(one);
    }

    /** Removes the events of the next call; none during a call. */
    synchronized List<Waiting> begin() {
      var group = new ArrayList<Waiting>();
      while (!busy && !waiting.isEmpty() && group.size() < ApplyCalls.MAX_EVENTS_PER_CALL) {
        Waiting next = waiting.remove();
        if (!next.answer().isDone()) { // else its caller has stopped waiting
          group.add(next);
        }
      }
      busy |= !group.isEmpty();
      return group;
    }

    synchronized void end() {
      busy = false;
    }
  }

  Decision apply(BoardChange change) {
    if (lanes.size() >= MAX_LANES) {
      lanes.clear();
    }
    Lane lane = lanes.get(change.keys());
    if (lane == null) {
      lane = lanes.computeIfAbsent(change.keys(), Lane::new);
    }
    var own = new Waiting(calls.encode(ApplyRequest.fresh(change)), new CompletableFuture<>());
    lane.add(own);
    sendNext(lane);
    return EventApplier.decision(redis.await(own.answer()));
  }

  private void sendNext(Lane lane) {
    List<Waiting> group = lane.begin();
    if (!group.isEmpty()) {
      send(lane, group)
          .whenComplete(
              (answers, failure) -> {
                lane.end();
                try {
                  sendNext(lane);
                } finally {
                  complete(lane, group, answers, failure);
                }
              });
    }
  }

  /** Turns any failure into a failed future: a busy lane would block its board until a restart. */
  private CompletableFuture<List<byte[]>> send(Lane lane, List<Waiting> group) {
    try {
      return redis.send(
          LiveScripts.APPLY_EVENTS,
          calls.call(lane.keys, group.stream().map(Waiting::event).toList()));
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void complete(
      Lane lane, List<Waiting> group, @Nullable List<byte[]> answers, @Nullable Throwable failure) {
    if (answers != null && answers.size() == group.size()) {
      for (int i = 0; i < group.size(); i++) {
        group.get(i).answer().complete(answers.get(i));
      }
    } else if (group.size() > 1 && isRefusal(failure)) {
      // Redis has refused a write of one of them; others may need no write.
      group.forEach(
          one ->
              send(lane, List.of(one))
                  .whenComplete((own, why) -> complete(lane, List.of(one), own, why)));
    } else {
      Throwable why = failure != null ? failure : new IllegalStateException("answers are missing");
      group.forEach(one -> one.answer().completeExceptionally(why));
    }
  }

  private static boolean isRefusal(@Nullable Throwable failure) {
    return failure instanceof CompletionException wrapped
        ? isRefusal(wrapped.getCause())
        : failure instanceof RedisCommandExecutionException;
  }
}
