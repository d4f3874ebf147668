package palmares.bench.seeding;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.output.ScoredValueStreamingChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Beans;
import palmares.live.board.LiveKeys;
import palmares.rules.board.MemberScore;

/** Reads the lines of a live board by index ranges. */
public final class LiveBoardReader {
  private final RedisConnectionFactory connections;

  public LiveBoardReader(Beans beans) {
    this.connections = beans.get(RedisConnectionFactory.class);
  }

  /**
   * Reads and discards all lines.
   *
   * @param range lines in one answer
   * @return the number of lines
   */
  public long readAll(SeededPeriod seeded, int range) {
    return with(
        commands -> {
          long[] read = {0};
          long before;
          do {
            before = read[0];
            ScoredValueStreamingChannel<byte[]> nowhere = line -> read[0]++;
            commands
                .zrangeWithScores(nowhere, key(seeded), before, before + range - 1)
                .toCompletableFuture()
                .join();
          } while (read[0] > before);
          return read[0];
        });
  }

  /** The lines from an index on, the best first. */
  public List<MemberScore> best(SeededPeriod seeded, long from, int count) {
    return with(
        commands -> {
          var lines = new ArrayList<MemberScore>(count);
          commands
              .zrevrangeWithScores(key(seeded), from, from + count - 1)
              .toCompletableFuture()
              .join()
              .forEach(
                  line ->
                      lines.add(
                          seeded
                              .layout()
                              .holding(new String(line.getValue(), UTF_8), line.getScore())));
          return lines;
        });
  }

  private static byte[] key(SeededPeriod seeded) {
    return new LiveKeys(seeded.period().board(), seeded.period().name()).lines();
  }

  @SuppressWarnings("unchecked")
  private <T> T with(Function<RedisClusterAsyncCommands<byte[], byte[]>, T> work) {
    try (RedisConnection connection = connections.getConnection()) {
      return work.apply(
          (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection());
    }
  }
}
