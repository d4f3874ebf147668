package palmares.settlement.outbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Setting;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;
import tools.jackson.databind.json.JsonMapper;

/** Appends an entry to a Redis stream for each fact: its id, its type, and the fact as JSON. */
final class RedisStreamTarget implements DeliveryTarget {
  static final String NAME = "stream";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * Configures the Redis stream.
   *
   * @param key the stream's key, which no live board may have; if it is not set, there is no stream
   * @param facts the types of facts that it gets; {@code *} for all
   * @param maxLength about how many entries the stream keeps; the oldest are removed first
   */
  @ConfigurationProperties("palmares.outbox.stream")
  record Settings(
      @Nullable String key,
      @DefaultValue("*") List<String> facts,
      @DefaultValue("1000000") long maxLength) {
    private static final Setting STREAM = new Setting("palmares.outbox.stream");
    private static final Setting FACTS = STREAM.part("facts");
    private static final Pattern RESERVED_KEYS = Pattern.compile("\\s*|palmares:(\\{|answer).*");

    Settings {
      if (key != null && RESERVED_KEYS.matcher(key).matches()) {
        throw STREAM.part("key").wrong(key, new TargetSettingSentences.StreamKey());
      }
      STREAM.part("max-length").requireAtLeast(1, maxLength);
      Subscription.of(FACTS, facts);
    }

    Subscription subscription() {
      return Subscription.of(FACTS, facts);
    }
  }

  private final RedisClient redis;
  private final String key;
  private final long maxLength;
  private final Subscription subscription;

  /**
   * @param settings with a key
   */
  RedisStreamTarget(RedisClient redis, Settings settings) {
    this.redis = redis;
    this.key = Objects.requireNonNull(settings.key());
    this.maxLength = settings.maxLength();
    this.subscription = settings.subscription();
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
  public Subscription facts() {
    return subscription;
  }

  @Override
  public Answer send(FactBatch batch) {
    try {
      redis.append(key, maxLength, batch.facts().stream().map(RedisStreamTarget::entry).toList());
    } catch (RedisUnavailable e) {
      throw DeliveryFailed.temporary(e.reason().said());
    }
    return Answer.of(null);
  }

  private static Map<String, String> entry(Fact fact) {
    var entry = new LinkedHashMap<String, String>();
    entry.put("id", fact.id());
    entry.put("type", fact.type());
    entry.put("fact", JSON.writeValueAsString(fact));
    return entry;
  }
}
