package palmares.bench.seeding;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Beans;
import palmares.live.board.LiveKeys;
import palmares.platform.time.Microseconds;
import palmares.rules.board.Layout;
import palmares.rules.board.RankMethod;

/**
 * Loads a live board into Redis in the state that the apply script would leave: lines, answers to
 * repeated events, and counters. Ten million single events would take an hour.
 */
final class LiveBoardLoader {
  private static final int BATCH = 500;

  private final RedisConnectionFactory connections;

  LiveBoardLoader(Beans beans) {
    this.connections = beans.get(RedisConnectionFactory.class);
  }

  /**
   * Fills an open and empty live board.
   *
   * @param advance receives the number of lines and events written since the last call
   */
  void load(SeededPeriod seeded, LongConsumer advance) {
    loadLines(seeded, advance);
    events(seeded, advance);
  }

  /**
   * Fills an open and empty live board with lines only, without answers to repeated events.
   *
   * @param advance receives the number of lines written since the last call
   */
  void loadLines(SeededPeriod seeded, LongConsumer advance) {
    lines(seeded, advance);
    if (seeded.board().ranks() == RankMethod.DENSE) {
      levels(seeded);
    }
  }

  /**
   * Loads the levels of a board with dense ranks. Without a second sort key, points are the level.
   */
  private void levels(SeededPeriod seeded) {
    LiveKeys keys = keys(seeded);
    long[] holders = seeded.crowd().holders();
    with(
        pipeline -> {
          long levels = 0;
          for (int points = 1; points < holders.length; points++) {
            if (holders[points] > 0) {
              byte[] level = bytes(Integer.toString(points));
              byte[] count = bytes(Long.toString(holders[points]));
              pipeline.send(pipeline.commands().hset(keys.holders(), level, count));
              pipeline.send(pipeline.commands().zadd(keys.levels(), points, level));
              levels++;
            }
          }
          count(pipeline, keys, "size", 2 * levels);
        });
  }

  private void lines(SeededPeriod seeded, LongConsumer advance) {
    Crowd crowd = seeded.crowd();
    Layout layout = seeded.layout();
    long first = seeded.firstTick();
    long ticks = seeded.ticks();
    byte[] key = keys(seeded).lines();
    with(
        pipeline -> {
          var batch = new ArrayList<ScoredValue<byte[]>>(BATCH);
          for (long n = 0; n < crowd.members(); n++) {
            long tick = first + crowd.latestTime(n, ticks);
            byte[] line = layout.entry(crowd.member(n), tick).getBytes(UTF_8);
            batch.add(ScoredValue.just(layout.score(crowd.invites(n), 0, tick), line));
            if (batch.size() == BATCH || n == crowd.members() - 1) {
              pipeline.send(pipeline.commands().zadd(key, array(batch)));
              advance.accept(batch.size());
              batch.clear();
            }
          }
          count(pipeline, keys(seeded), "lines", crowd.members());
        });
  }

  @SuppressWarnings("unchecked")
  private static ScoredValue<byte[]>[] array(List<ScoredValue<byte[]>> batch) {
    return batch.toArray(ScoredValue[]::new);
  }

  private void events(SeededPeriod seeded, LongConsumer advance) {
    LiveKeys keys = keys(seeded);
    with(
        pipeline -> {
          var batch = new HashMap<byte[], byte[]>();
          long[] points = {0};
          Consumer<Invitation> add =
              invitation -> {
                batch.put(bytes(invitation.id()), bytes(answer(invitation)));
                points[0] += invitation.quantity();
                if (batch.size() == BATCH || invitation.seq() == seeded.events()) {
                  pipeline.send(pipeline.commands().hset(keys.ids(), Map.copyOf(batch)));
                  advance.accept(batch.size());
                  batch.clear();
                }
              };
          for (int round = 0; round < Invitation.ROUNDS; round++) {
            Invitation.each(seeded, round, add);
          }
          count(pipeline, keys, "seq", seeded.events());
          count(pipeline, keys, "points", points[0]);
        });
  }

  private static void count(Pipeline pipeline, LiveKeys keys, String field, long value) {
    pipeline.send(pipeline.commands().hset(keys.meta(), bytes(field), bytes(Long.toString(value))));
  }

  /** The answer to a repeated event, in the script's format. */
  private static String answer(Invitation invitation) {
    return String.join(
        " ",
        Invitation.OUTCOME,
        Integer.toString(invitation.quantity()),
        Integer.toString(invitation.total()),
        Long.toString(Microseconds.micros(invitation.occurredAt())),
        invitation.digest());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static LiveKeys keys(SeededPeriod seeded) {
    return new LiveKeys(seeded.period().board(), seeded.period().name());
  }

  @SuppressWarnings("unchecked")
  private void with(Consumer<Pipeline> work) {
    try (RedisConnection connection = connections.getConnection()) {
      var pipeline =
          new Pipeline(
              (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection());
      work.accept(pipeline);
      pipeline.await();
    }
  }

  /** Sends commands without waiting for each answer, with a limited number in flight. */
  static final class Pipeline {
    private static final int MAX_IN_FLIGHT = 16;

    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final Queue<RedisFuture<?>> inFlight = new ArrayDeque<>();

    Pipeline(RedisClusterAsyncCommands<byte[], byte[]> commands) {
      this.commands = commands;
    }

    RedisClusterAsyncCommands<byte[], byte[]> commands() {
      return commands;
    }

    /** Adds a command, and waits until few enough are in flight. */
    void send(RedisFuture<?> sent) {
      inFlight.add(sent);
      await(MAX_IN_FLIGHT);
    }

    /** Waits for all answers. */
    void await() {
      await(0);
    }

    private void await(int most) {
      while (inFlight.size() > most) {
        inFlight.remove().toCompletableFuture().join();
      }
    }
  }
}
