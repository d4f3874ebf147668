package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import palmares.live.board.LiveKeys;
import palmares.period.Period;

/** A live board as it was once: a Redis that lost the end of its file goes back to it. */
public final class LiveDump {
  private final Period period;
  private final Map<String, byte[]> dumps = new LinkedHashMap<>();

  private LiveDump(Period period) {
    this.period = period;
  }

  public static LiveDump of(Servers servers, Period period) {
    var dump = new LiveDump(period);
    servers.redis(
        connection -> {
          for (byte[] key : Objects.requireNonNull(connection.keyCommands().keys(dump.all()))) {
            byte[] value = Objects.requireNonNull(connection.keyCommands().dump(key));
            dump.dumps.put(new String(key, UTF_8), value);
          }
          return true;
        });
    return dump;
  }

  /** Puts it back, and nothing besides. */
  public void restore(Servers servers) {
    servers.redis(
        connection -> {
          for (byte[] key : Objects.requireNonNull(connection.keyCommands().keys(all()))) {
            connection.keyCommands().del(key);
          }
          dumps.forEach(
              (key, value) ->
                  connection.keyCommands().restore(key.getBytes(UTF_8), 0, value, true));
          return true;
        });
  }

  private byte[] all() {
    return LiveKeys.of(period).name("*").getBytes(UTF_8);
  }
}
