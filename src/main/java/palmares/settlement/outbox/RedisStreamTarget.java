package palmares.settlement.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import tools.jackson.databind.json.JsonMapper;

/** A Redis stream of one entry a fact: its id, its type, and all of it as JSON. */
final class RedisStreamTarget implements DeliveryTarget {
  static final String NAME = "stream";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RedisClient redis;
  private final String key;
  private final long maxLength;

  /**
   * @param settings with a key
   */
  RedisStreamTarget(RedisClient redis, StreamSettings settings) {
    this.redis = redis;
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
  public void send(FactBatch batch) {
    try {
      redis.append(key, maxLength, batch.facts().stream().map(RedisStreamTarget::entry).toList());
    } catch (RedisUnavailable e) {
      throw DeliveryFailed.forNow(String.valueOf(e.getMessage()));
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
