package palmares.bench.gauge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Parts;

/** For how long single commands keep Redis from all others: by its own slow log. */
public final class RedisGauge {
  private static final int MOST_ENTRIES = 100_000;
  private static final Map<String, String> EVERYTHING =
      Map.of("slowlog-log-slower-than", "0", "slowlog-max-len", "" + MOST_ENTRIES);
  private static final Map<String, String> USUAL =
      Map.of("slowlog-log-slower-than", "10000", "slowlog-max-len", "128");

  private final RedisConnectionFactory connections;

  public RedisGauge(Parts parts) {
    this.connections = parts.get(RedisConnectionFactory.class);
  }

  /**
   * The command that took longest, by the clock on the wall: on busy processors also what it waited
   * for one.
   *
   * @param millis for which Redis did nothing else
   */
  public record Longest(String command, double millis) {}

  /** From here on every command is written down; not on a server that lets nobody ask for it. */
  public void begin() {
    with(
        commands -> {
          await(commands.configSet(EVERYTHING));
          return await(commands.slowlogReset());
        });
  }

  /** The longest since then; empty if the server does not tell. Its log is as usual again. */
  public Optional<Longest> end() {
    return with(
        commands -> {
          List<Object> entries = await(commands.slowlogGet(MOST_ENTRIES));
          await(commands.configSet(USUAL));
          await(commands.slowlogReset());
          return longest(entries);
        });
  }

  private static Longest longest(List<Object> entries) {
    var longest = new Longest("", 0);
    for (Object entry : entries) {
      List<?> told = (List<?>) entry;
      double millis = ((Number) told.get(2)).longValue() / 1e3;
      if (millis >= longest.millis()) {
        longest = new Longest(command((List<?>) told.get(3)), millis);
      }
    }
    return longest;
  }

  private static String command(List<?> words) {
    return new String((byte[]) words.get(0), UTF_8);
  }

  @SuppressWarnings("unchecked")
  private <T> Optional<T> with(Function<RedisClusterAsyncCommands<byte[], byte[]>, T> work) {
    try (RedisConnection connection = connections.getConnection()) {
      return Optional.of(
          work.apply((RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection()));
    } catch (RedisCommandExecutionException refused) {
      return Optional.empty();
    }
  }

  private static <T> T await(RedisFuture<T> sent) {
    try {
      return sent.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
