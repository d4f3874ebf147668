package palmares.bench.gauge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.bench.Beans;

/** Measures how long single commands block Redis, by its slow log. */
public final class RedisGauge {
  private static final int MAX_ENTRIES = 100_000;
  private static final Map<String, String> LOG_EVERYTHING =
      Map.of("slowlog-log-slower-than", "0", "slowlog-max-len", "" + MAX_ENTRIES);
  private static final Map<String, String> LOG_SLOW_ONLY =
      Map.of("slowlog-log-slower-than", "10000", "slowlog-max-len", "128");

  private static final Set<String> RANGES = Set.of("ZRANGE", "ZREVRANGE");
  private static final int REPETITIONS = 20;

  private final RedisConnectionFactory connections;

  public RedisGauge(Beans beans) {
    this.connections = beans.get(RedisConnectionFactory.class);
  }

  /**
   * The command that blocked Redis longest.
   *
   * @param millis elapsed time, with waits for a core
   * @param alone milliseconds of the same command on idle servers; empty if it cannot be repeated
   */
  public record Longest(String command, double millis, OptionalDouble alone) {}

  private record SlowLogEntry(List<byte[]> words, double millis) {
    static SlowLogEntry of(Object entry) {
      List<?> fields = (List<?>) entry;
      var words = ((List<?>) fields.get(3)).stream().map(word -> (byte[]) word).toList();
      return new SlowLogEntry(words, ((Number) fields.get(2)).longValue() / 1e3);
    }

    String command() {
      return new String(words.get(0), UTF_8);
    }

    boolean isSame(SlowLogEntry other) {
      return words.size() == other.words.size()
          && IntStream.range(0, words.size())
              .allMatch(i -> Arrays.equals(words.get(i), other.words.get(i)));
    }
  }

  /** Begins to log every command, if the server allows it. */
  public void begin() {
    with(
        commands -> {
          await(commands.configSet(LOG_EVERYTHING));
          return await(commands.slowlogReset());
        });
  }

  /**
   * Restores the log's settings.
   *
   * @return the longest command; empty if the server does not log
   */
  public Optional<Longest> end() {
    return with(
        commands -> {
          SlowLogEntry longest =
              log(commands).max(Comparator.comparing(SlowLogEntry::millis)).orElseThrow();
          await(commands.slowlogReset());
          OptionalDouble alone = repeat(commands, longest);
          await(commands.configSet(LOG_SLOW_ONLY));
          await(commands.slowlogReset());
          return new Longest(longest.command(), longest.millis(), alone);
        });
  }

  private static Stream<SlowLogEntry> log(RedisClusterAsyncCommands<byte[], byte[]> commands) {
    return await(commands.slowlogGet(MAX_ENTRIES)).stream().map(SlowLogEntry::of);
  }

  /**
   * Repeats a command that only reads a range.
   *
   * @return its shortest time
   */
  private static OptionalDouble repeat(
      RedisClusterAsyncCommands<byte[], byte[]> commands, SlowLogEntry longest) {
    if (!RANGES.contains(longest.command().toUpperCase(Locale.ROOT))) {
      return OptionalDouble.empty();
    }
    var arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    longest.words().stream().skip(1).forEach(arguments::add);
    for (int i = 0; i < REPETITIONS; i++) {
      List<Object> answer =
          await(
              commands.dispatch(
                  CommandType.valueOf(longest.command().toUpperCase(Locale.ROOT)),
                  new ArrayOutput<>(ByteArrayCodec.INSTANCE),
                  arguments));
      if (answer.isEmpty()) {
        return OptionalDouble.empty();
      }
    }
    return log(commands).filter(longest::isSame).mapToDouble(SlowLogEntry::millis).min();
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
