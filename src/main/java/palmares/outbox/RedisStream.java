package palmares.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import palmares.live.FactStream;
import palmares.live.LiveUnavailable;
import tools.jackson.databind.json.JsonMapper;

/** A Redis stream of one entry a fact: its id, its type, and all of it as JSON. */
final class RedisStream implements Target {
  static final String NAME = "stream";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final FactStream stream;
  private final String key;
  private final long maxLength;

  /**
   * @param settings with a key
   */
  RedisStream(FactStream stream, StreamSettings settings) {
    this.stream = stream;
    this.key = Objects.requireNonNull(settings.key());
    this.maxLength = settings.maxLength();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String address() {
    return key;
  }

  @Override
  public void send(Batch batch) {
    try {
      stream.append(key, maxLength, batch.facts().stream().map(RedisStream::entry).toList());
    } catch (LiveUnavailable e) {
      throw Undelivered.forNow(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, String> entry(Fact fact) {
    var entry = new LinkedHashMap<String, String>();
    entry.put("id", fact.id());
    entry.put("type", fact.type());
    entry.put("fact", JSON.writeValueAsString(fact));
    return entry;
  }
}
