package palmares.platform.redis;

import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Limits the pause between attempts to reach Redis again. Lettuce's own grows to half a minute, in
 * which Redis answers and requests still fail.
 */
@Configuration(proxyBeanMethods = false)
class ReconnectDelay {
  private static final Duration MAX = Duration.ofSeconds(2);

  @Bean
  ClientResourcesBuilderCustomizer redisReconnectDelay() {
    return resources ->
        resources.reconnectDelay(
            Delay.exponential(Duration.ofMillis(10), MAX, 2, TimeUnit.MILLISECONDS));
  }
}
