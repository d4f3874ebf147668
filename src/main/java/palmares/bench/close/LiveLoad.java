package palmares.bench.close;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Parts;
import palmares.bench.Watcher.Task;
import palmares.board.Layout;
import palmares.board.Times;
import palmares.live.LiveKeys;

/**
 * Leaves a live board in Redis as the script that applies events does: its lines, the answers by
 * which it knows a repeat, and what it counts. Event by event, ten millions would take an hour.
 */
final class LiveLoad {
  private static final int BATCH = 500;

  /** So many commands are under way. */
  private static final int AHEAD = 16;

  private final RedisConnectionFactory connections;

  LiveLoad(Parts parts) {
    this.connections = parts.get(RedisConnectionFactory.class);
  }

  /** Fills the ZSET of a live board that is open and empty. */
  void lines(Ground ground, Task task) {
    with(load -> load.lines(keys(ground), ground, task));
  }

  /** Fills what the live board knows of its events. */
  void events(Ground ground, Task task) {
    with(load -> load.events(keys(ground), ground, task));
  }

  private static LiveKeys keys(Ground ground) {
    return new LiveKeys(ground.period().board(), ground.period().name());
  }

  @SuppressWarnings("unchecked")
  private void with(Consumer<Load> work) {
    try (RedisConnection connection = connections.getConnection()) {
      var load =
          new Load(
              (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection(),
              new ArrayDeque<>());
      work.accept(load);
      load.await(0);
    }
  }

  private record Load(
      RedisClusterAsyncCommands<byte[], byte[]> commands, Queue<RedisFuture<?>> underway) {

    void lines(LiveKeys keys, Ground ground, Task task) {
      Crowd crowd = ground.crowd();
      Layout layout = ground.layout();
      long first = ground.firstTick();
      long ticks = ground.ticks();
      var batch = new ArrayList<ScoredValue<byte[]>>(BATCH);
      for (long n = 0; n < crowd.members(); n++) {
        long tick = first + crowd.latestTime(n, ticks);
        batch.add(
            ScoredValue.just(
                layout.score(crowd.invites(n), 0, tick),
                layout.line(crowd.member(n), tick).getBytes(UTF_8)));
        if (batch.size() == BATCH || n == crowd.members() - 1) {
          send(commands.zadd(keys.lines(), scored(batch)));
          batch.clear();
          task.at(n + 1);
        }
      }
    }

    @SuppressWarnings("unchecked")
    private static ScoredValue<byte[]>[] scored(ArrayList<ScoredValue<byte[]>> batch) {
      return batch.toArray(ScoredValue[]::new);
    }

    void events(LiveKeys keys, Ground ground, Task task) {
      var batch = new HashMap<byte[], byte[]>();
      long[] counted = {0, 0};
      Invitation.each(
          ground,
          invitation -> {
            batch.put(invitation.id().getBytes(UTF_8), answer(invitation).getBytes(UTF_8));
            counted[0] = invitation.seq();
            counted[1] += invitation.quantity();
            if (batch.size() == BATCH) {
              send(commands.hset(keys.ids(), Map.copyOf(batch)));
              batch.clear();
              task.at(invitation.seq());
            }
          });
      if (!batch.isEmpty()) {
        send(commands.hset(keys.ids(), batch));
      }
      send(commands.hset(keys.meta(), number("seq"), number(counted[0])));
      send(commands.hset(keys.meta(), number("points"), number(counted[1])));
    }

    private static byte[] number(Object value) {
      return value.toString().getBytes(UTF_8);
    }

    /** As the script writes it. */
    private static String answer(Invitation invitation) {
      return Invitation.OUTCOME
          + (" " + invitation.quantity())
          + (" " + invitation.total())
          + (" " + Times.micros(invitation.occurredAt()))
          + (" " + invitation.digest());
    }

    private void send(RedisFuture<?> sent) {
      underway.add(sent);
      await(AHEAD);
    }

    /** Waits until no more than so many are under way. */
    void await(int most) {
      while (underway.size() > most) {
        underway.remove().toCompletableFuture().join();
      }
    }
  }
}
