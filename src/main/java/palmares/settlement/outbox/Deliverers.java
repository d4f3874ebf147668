package palmares.settlement.outbox;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Optional;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import palmares.platform.redis.RedisClient;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * A thread for each target that is configured, so that a slow one holds up no other. Any number of
 * processes may tell the same target: whoever finds it busy leaves it.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({OutboxSettings.class, WebhookSettings.class, StreamSettings.class})
class Deliverers {
  private final OutboxSettings settings;
  private final Delivery delivery;
  private final Deliveries deliveries;
  private final Clock clock;
  private final Loops loops;
  private final MeterRegistry metrics;

  Deliverers(
      OutboxSettings settings,
      Delivery delivery,
      Deliveries deliveries,
      Clock clock,
      Loops loops,
      MeterRegistry metrics) {
    this.settings = settings;
    this.delivery = delivery;
    this.deliveries = deliveries;
    this.clock = clock;
    this.loops = loops;
    this.metrics = metrics;
  }

  @Bean
  BackgroundLoop webhookDeliverer(WebhookSettings webhook) {
    return deliverer(
        WebhookTarget.NAME,
        webhook.url() == null ? Optional.empty() : Optional.of(new WebhookTarget(webhook, clock)));
  }

  @Bean
  BackgroundLoop streamDeliverer(StreamSettings stream, RedisClient redis) {
    return deliverer(
        RedisStreamTarget.NAME,
        stream.key() == null
            ? Optional.empty()
            : Optional.of(new RedisStreamTarget(redis, stream)));
  }

  private BackgroundLoop deliverer(String name, Optional<DeliveryTarget> target) {
    String thread = "outbox " + name;
    if (!settings.background() || target.isEmpty()) {
      return new BackgroundLoop(loops, thread, false, goesOn -> {});
    }
    var deliveryLoop = new DeliveryLoop(target.get(), delivery, deliveries, clock, metrics);
    return new BackgroundLoop(loops, thread, true, deliveryLoop::round);
  }
}
