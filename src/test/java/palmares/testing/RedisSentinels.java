package palmares.testing;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import palmares.bench.nodes.RedisNodes;

/**
 * A Redis with a replica and three sentinels, all of them real: nodes 0 and 1 have the data, 2 to 4
 * are the sentinels. They take a master for dead that has not answered for a second.
 */
public final class RedisSentinels extends RedisNodes {
  /** The name that sentinels give their master. */
  public static final String MASTER = "boards";

  private static final int SENTINELS = 3;
  private static final int FIRST_SENTINEL = 2;

  private RedisSentinels() throws IOException {
    super(Path.of("target"), "sentinels-");
  }

  public static RedisSentinels start() throws IOException {
    return start(List.of());
  }

  /** With a master that refuses to write while no replica follows it. */
  public static RedisSentinels startCautious() throws IOException {
    return start(List.of("--min-replicas-to-write", "1", "--min-replicas-max-lag", "2"));
  }

  private static RedisSentinels start(List<String> options) throws IOException {
    var sentinels = new RedisSentinels();
    try {
      sentinels.begin(options);
      return sentinels;
    } catch (IOException | RuntimeException e) {
      sentinels.close();
      throw e;
    }
  }

  private void begin(List<String> options) throws IOException {
    var all = new ArrayList<>(List.of("--appendonly", "yes", "--save", ""));
    all.addAll(COPIES_AT_ONCE);
    all.addAll(options);
    add(all.toArray(String[]::new));
    all.addAll(List.of("--replicaof", "127.0.0.1 " + port(0)));
    add(all.toArray(String[]::new));
    awaitCopied(0);
    for (int i = 0; i < SENTINELS; i++) {
      Path settings = Files.createTempFile(folder(port(0)), "sentinel-", ".conf");
      Files.writeString(
          settings,
          """
          sentinel monitor %1$s 127.0.0.1 %2$d 2
          sentinel down-after-milliseconds %1$s 1000
          sentinel failover-timeout %1$s 3000
          """
              .formatted(MASTER, port(0)));
      add(settings.toString(), "--sentinel");
    }
    waitUntil(
        () ->
            IntStream.range(FIRST_SENTINEL, size())
                .allMatch(i -> info(i, "sentinel").contains("slaves=1,sentinels=3")));
  }

  private String info(int node, String section) {
    return command(node, (RedisCommands<String, String> commands) -> commands.info(section));
  }

  /** The addresses of the sentinels, as {@code spring.data.redis.sentinel.nodes} names them. */
  public String addresses() {
    return IntStream.range(FIRST_SENTINEL, size())
        .mapToObj(this::address)
        .collect(Collectors.joining(","));
  }

  /**
   * Lets a replica miss what its master does from now on, for less than the sentinels' patience.
   */
  public void detach(int replica) {
    command(replica, commands -> commands.replicaof("127.0.0.1", 1));
  }
}
