package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.ReturnType;
import palmares.testing.Servers;

/** A team's own program: sends commands to Redis as any client does, and knows nothing of us. */
record Foreign(Servers servers) {
  /** What it calls the board of {@link palmares.testing.World}'s first day. */
  static final String KEY = "lb:2026-11-20";

  static final Instant END = Instant.parse("2026-11-21T00:00:00Z");

  /** The well-known script of shared ranks, as it goes round. */
  private static final String SHARED_RANKS =
      """
      local new_score = redis.call('HINCRBY', KEYS[1], ARGV[1], ARGV[2])
      local old_score = new_score - ARGV[2]
      local old_count = redis.call('HINCRBY', KEYS[2], old_score, -1)
      local new_count = redis.call('HINCRBY', KEYS[2], new_score, 1)
      if new_count == 1 then
        redis.call('ZADD', KEYS[3], new_score, new_score)
      end
      if old_count == 0 then
        redis.call('ZREM', KEYS[3], old_score)
      end
      return 1
      """;

  /** A way of putting points and a time into a score. */
  interface Recipe {
    String score(long points, Instant at);
  }

  /** The recipe that a board's file calls so. */
  static Recipe recipe(String encoding) {
    return switch (encoding) {
      case "points" -> (points, at) -> Long.toString(points);
      case "time-fraction" ->
          (points, at) -> Double.toString(points + 1 - at.toEpochMilli() / 1e13);
      case "millis-left" ->
          (points, at) -> Long.toString(points << 41 | END.toEpochMilli() - at.toEpochMilli());
      case "seconds-left" ->
          (points, at) -> Double.toString(points * 134_217_728.0 + secondsLeft(at));
      case "decimal-seconds-left" -> (points, at) -> "%d.%05d".formatted(points, secondsLeft(at));
      case "appended-seconds-left" -> (points, at) -> "%d%05d".formatted(points, secondsLeft(at));
      default -> throw new IllegalArgumentException(encoding);
    };
  }

  private static long secondsLeft(Instant at) {
    return (END.toEpochMilli() - at.toEpochMilli()) / 1000;
  }

  void zadd(String score, String member) {
    run("ZADD", KEY, score, member);
  }

  /** Adds to a board of shared ranks. */
  void add(String member, long points) {
    byte[][] sent =
        Stream.of(KEY + ":members", KEY + ":counts", KEY + ":scores", member, "" + points)
            .map(text -> text.getBytes(UTF_8))
            .toArray(byte[][]::new);
    servers.redis(
        redis -> {
          redis.scriptingCommands().eval(SHARED_RANKS.getBytes(UTF_8), ReturnType.INTEGER, 3, sent);
          return true;
        });
  }

  Object run(String command, String... arguments) {
    var sent = new ArrayList<byte[]>();
    for (String argument : arguments) {
      sent.add(argument.getBytes(UTF_8));
    }
    return run(command, sent);
  }

  Object run(String command, List<byte[]> arguments) {
    return servers.redis(
        redis ->
            Objects.requireNonNullElse(
                redis.execute(command, arguments.toArray(byte[][]::new)), "nil"));
  }

  /** All keys that Redis holds. */
  List<String> keys() {
    return servers.redis(
        redis ->
            Objects.requireNonNull(redis.keyCommands().keys("*".getBytes(UTF_8))).stream()
                .map(key -> new String(key, UTF_8))
                .filter(key -> !key.startsWith("palmares:")) // whose boards they are
                .sorted()
                .toList());
  }
}
