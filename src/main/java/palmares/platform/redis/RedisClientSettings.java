package palmares.platform.redis;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the Redis client.
 *
 * @param answerTimeout how long a command may take; after that its effect is unknown
 */
@ConfigurationProperties("palmares.live")
public record RedisClientSettings(@DefaultValue("10s") Duration answerTimeout) {
  public RedisClientSettings {
    if (answerTimeout.compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException(
          "palmares.live.answer-timeout is %s, but must be more than 0".formatted(answerTimeout));
    }
  }
}
