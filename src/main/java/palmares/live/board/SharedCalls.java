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
import palmares.live.board.EventApplier.Order;
import palmares.platform.redis.RedisClient;

/**
 * Applies events that come one by one: whatever comes for a board while a call for it is under way
 * goes into the next one, so that many callers share a round trip. None is put off, or fails, for
 * another.
 */
@Component
class SharedCalls {
  /** So many boards are kept in mind; past that, all are forgotten and met again. */
  private static final int MOST_KNOWN = 10_000;

  private final RedisClient redis;
  private final ApplyCalls calls;
  private final Map<LiveKeys, Lane> lanes = new ConcurrentHashMap<>();

  SharedCalls(RedisClient redis, ApplyCalls calls) {
    this.redis = redis;
    this.calls = calls;
  }

  /** An event whose caller waits to be told what became of it. */
  private record Waiting(byte[] event, CompletableFuture<byte[]> told) {}

  /** Those that wait for one board. */
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

    /** Whom the next call is for; nobody while one is under way. */
    synchronized List<Waiting> begin() {
      var group = new ArrayList<Waiting>();
      while (!busy && !waiting.isEmpty() && group.size() < ApplyCalls.MOST) {
        Waiting next = waiting.remove();
        if (!next.told().isDone()) { // else its caller has given up
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

  /** Decides the change by itself. */
  Decision apply(BoardChange change) {
    if (lanes.size() >= MOST_KNOWN) {
      lanes.clear();
    }
    Lane lane = lanes.get(change.keys());
    if (lane == null) {
      lane = lanes.computeIfAbsent(change.keys(), Lane::new);
    }
    var own = new Waiting(calls.encode(Order.fresh(change)), new CompletableFuture<>());
    lane.add(own);
    sendNext(lane);
    return EventApplier.decision(redis.await(own.told()));
  }

  private void sendNext(Lane lane) {
    List<Waiting> group = lane.begin();
    if (!group.isEmpty()) {
      send(lane, group)
          .whenComplete(
              (told, failure) -> {
                lane.end();
                try {
                  sendNext(lane);
                } finally {
                  conclude(lane, group, told, failure);
                }
              });
    }
  }

  /** Any failure fails the group: a lane that stayed busy would block its board until a restart. */
  private CompletableFuture<List<byte[]>> send(Lane lane, List<Waiting> group) {
    try {
      return redis.send(
          LiveScripts.APPLY, calls.call(lane.keys, group.stream().map(Waiting::event).toList()));
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void conclude(
      Lane lane, List<Waiting> group, @Nullable List<byte[]> told, @Nullable Throwable failure) {
    if (told != null && told.size() == group.size()) {
      for (int i = 0; i < group.size(); i++) {
        group.get(i).told().complete(told.get(i));
      }
    } else if (group.size() > 1 && isRefusal(failure)) {
      // Redis has refused a write of one of them; others may not need any.
      group.forEach(
          one ->
              send(lane, List.of(one))
                  .whenComplete((own, why) -> conclude(lane, List.of(one), own, why)));
    } else {
      Throwable why = failure != null ? failure : new IllegalStateException("answers are missing");
      group.forEach(one -> one.told().completeExceptionally(why));
    }
  }

  private static boolean isRefusal(@Nullable Throwable failure) {
    return failure instanceof CompletionException wrapped
        ? isRefusal(wrapped.getCause())
        : failure instanceof RedisCommandExecutionException;
  }
}
