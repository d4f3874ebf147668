package palmares.settlement.outbox;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which Redis stream gets the facts.
 *
 * @param key its key; null for no stream. Not one of those that live boards may have
 * @param maxLength about how many entries it keeps; the oldest go first
 */
@ConfigurationProperties("palmares.outbox.stream")
record StreamSettings(@Nullable String key, @DefaultValue("1000000") long maxLength) {
  private static final Pattern TAKEN = Pattern.compile("\\s*|palmares:(\\{|answer).*");

  StreamSettings {
    if (key != null && TAKEN.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "palmares.outbox.stream.key is '%s', which is empty or may be a live board's: take one"
                  .formatted(key)
              + " as palmares:facts");
    }
    if (maxLength < 1) {
      throw new IllegalArgumentException(
          "palmares.outbox.stream.max-length is %d, and must be 1 or more".formatted(maxLength));
    }
  }
}
