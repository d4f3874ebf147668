package palmares.outbox;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Optional;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import palmares.background.Background;
import palmares.background.Loops;
import palmares.live.FactStream;

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
  Background webhookDeliverer(WebhookSettings webhook) {
    return deliverer(
        Webhook.NAME,
        webhook.url() == null ? Optional.empty() : Optional.of(new Webhook(webhook, clock)));
  }

  @Bean
  Background streamDeliverer(StreamSettings stream, FactStream facts) {
    return deliverer(
        RedisStream.NAME,
        stream.key() == null ? Optional.empty() : Optional.of(new RedisStream(facts, stream)));
  }

  private Background deliverer(String name, Optional<Target> target) {
    String thread = "outbox " + name;
    if (!settings.background() || target.isEmpty()) {
      return new Background(loops, thread, false, goesOn -> {});
    }
    var telling = new Telling(target.get(), delivery, deliveries, clock, metrics);
    return new Background(loops, thread, true, telling::round);
  }
}
