package palmares.bench.crowd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Parts;
import palmares.live.board.LiveKeys;
import palmares.rules.board.Layout;
import palmares.rules.board.Microseconds;
import palmares.rules.board.RankMethod;

/**
 * Leaves a live board in Redis as the script that applies events does: its lines, the answers by
 * which it knows a repeat, and what it counts. Event by event, ten millions would take an hour.
 */
final class LiveLoad {
  private static final int BATCH = 500;

  private final RedisConnectionFactory connections;

  LiveLoad(Parts parts) {
    this.connections = parts.get(RedisConnectionFactory.class);
  }

  /**
   * Fills a live board that is open and empty.
   *
   * @param advance is told how many lines and events more there are
   */
  void load(Ground ground, LongConsumer advance) {
    stand(ground, advance);
    events(ground, advance);
  }

  /**
   * Fills a live board that is open and empty so far as it can be looked at: with its lines, but
   * with none of the answers to what made them.
   *
   * @param advance is told how many lines more there are
   */
  void stand(Ground ground, LongConsumer advance) {
    lines(ground, advance);
    if (ground.board().ranks() == RankMethod.DENSE) {
      levels(ground);
    }
  }

  /** On a board without a second key, where more is better, points are the level. */
  private void levels(Ground ground) {
    LiveKeys keys = keys(ground);
    long[] holders = ground.crowd().holders();
    with(
        pipeline -> {
          for (int points = 1; points < holders.length; points++) {
            if (holders[points] > 0) {
              byte[] level = bytes(Integer.toString(points));
              byte[] count = bytes(Long.toString(holders[points]));
              pipeline.send(pipeline.commands().hset(keys.holders(), level, count));
              pipeline.send(pipeline.commands().zadd(keys.levels(), points, level));
            }
          }
        });
  }

  private void lines(Ground ground, LongConsumer advance) {
    Crowd crowd = ground.crowd();
    Layout layout = ground.layout();
    long first = ground.firstTick();
    long ticks = ground.ticks();
    byte[] key = keys(ground).lines();
    with(
        pipeline -> {
          var batch = new ArrayList<ScoredValue<byte[]>>(BATCH);
          for (long n = 0; n < crowd.members(); n++) {
            long tick = first + crowd.latestTime(n, ticks);
            byte[] line = layout.line(crowd.member(n), tick).getBytes(UTF_8);
            batch.add(ScoredValue.just(layout.score(crowd.invites(n), 0, tick), line));
            if (batch.size() == BATCH || n == crowd.members() - 1) {
              pipeline.send(pipeline.commands().zadd(key, array(batch)));
              advance.accept(batch.size());
              batch.clear();
            }
          }
        });
  }

  @SuppressWarnings("unchecked")
  private static ScoredValue<byte[]>[] array(List<ScoredValue<byte[]>> batch) {
    return batch.toArray(ScoredValue[]::new);
  }

  private void events(Ground ground, LongConsumer advance) {
    LiveKeys keys = keys(ground);
    with(
        pipeline -> {
          var batch = new HashMap<byte[], byte[]>();
          long[] points = {0};
          Consumer<Invitation> add =
              invitation -> {
                batch.put(bytes(invitation.id()), bytes(answer(invitation)));
                points[0] += invitation.quantity();
                if (batch.size() == BATCH || invitation.seq() == ground.events()) {
                  pipeline.send(pipeline.commands().hset(keys.ids(), Map.copyOf(batch)));
                  advance.accept(batch.size());
                  batch.clear();
                }
              };
          for (int round = 0; round < Invitation.ROUNDS; round++) {
            Invitation.each(ground, round, add);
          }
          count(pipeline, keys, "seq", ground.events());
          count(pipeline, keys, "points", points[0]);
        });
  }

  private static void count(Pipeline pipeline, LiveKeys keys, String field, long value) {
    pipeline.send(pipeline.commands().hset(keys.meta(), bytes(field), bytes(Long.toString(value))));
  }

  /** As the script writes it. */
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

  private static LiveKeys keys(Ground ground) {
    return new LiveKeys(ground.period().board(), ground.period().name());
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
}
