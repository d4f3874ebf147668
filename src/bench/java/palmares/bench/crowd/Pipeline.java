package palmares.bench.crowd;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayDeque;
import java.util.Queue;

/** Commands of which some are under way at a time: sent without waiting for each, yet never all. */
final class Pipeline {
  private static final int AHEAD = 16;

  private final RedisClusterAsyncCommands<byte[], byte[]> commands;
  private final Queue<RedisFuture<?>> underway = new ArrayDeque<>();

  Pipeline(RedisClusterAsyncCommands<byte[], byte[]> commands) {
    this.commands = commands;
  }

  RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return commands;
  }

  /** Goes on once few enough are under way. */
  void send(RedisFuture<?> sent) {
    underway.add(sent);
    await(AHEAD);
  }

  /** Waits for all that were sent. */
  void await() {
    await(0);
  }

  private void await(int most) {
    while (underway.size() > most) {
      underway.remove().toCompletableFuture().join();
    }
  }
}
