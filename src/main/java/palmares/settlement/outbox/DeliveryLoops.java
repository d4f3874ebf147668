package palmares.settlement.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSender;
import palmares.platform.redis.RedisClient;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.platform.trace.Spans;

/**
 * Runs a background loop for each configured target, so that a slow target delays no other. If
 * several processes serve a target, one at a time delivers to it; the others skip their turn.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
  OutboxSettings.class,
  WebhookSettings.class,
  RedisStreamTarget.Settings.class,
  MailSettings.class
})
class DeliveryLoops {
  private final OutboxSettings settings;
  private final Delivery delivery;
  private final Deliveries deliveries;
  private final Clock clock;
  private final Loops loops;
  private final MeterRegistry metrics;
  private final Spans spans;

  DeliveryLoops(
      OutboxSettings settings,
      Delivery delivery,
      Deliveries deliveries,
      Clock clock,
      Loops loops,
      MeterRegistry metrics,
      Spans spans) {
    this.spans = spans;
    this.settings = settings;
    this.delivery = delivery;
    this.deliveries = deliveries;
    this.clock = clock;
    this.loops = loops;
    this.metrics = metrics;
  }

  @Bean
  BackgroundLoop webhookLoop(WebhookSettings webhook) {
    return loop(
        WebhookTarget.NAME,
        webhook.url() == null
            ? Optional.empty()
            : Optional.of(new WebhookTarget(webhook, clock, spans)));
  }

  @Bean
  BackgroundLoop streamLoop(RedisStreamTarget.Settings stream, RedisClient redis) {
    return loop(
        RedisStreamTarget.NAME,
        stream.key() == null
            ? Optional.empty()
            : Optional.of(new RedisStreamTarget(redis, stream)));
  }

  @Bean
  BackgroundLoop mailLoop(MailSettings mail, ObjectProvider<JavaMailSender> sender) {
    if (mail.to().isEmpty()) {
      return loop(MailTarget.NAME, Optional.empty());
    }
    JavaMailSender server = sender.getIfAvailable();
    if (server == null) {
      throw MailSettings.wrong("to is set, but spring.mail.host is not: name the mail server");
    }
    return loop(MailTarget.NAME, Optional.of(new MailTarget(mail, server)));
  }

  private BackgroundLoop loop(String name, Optional<DeliveryTarget> target) {
    String thread = "outbox " + name;
    if (!settings.background() || target.isEmpty()) {
      return new BackgroundLoop(loops, thread, false, goesOn -> {});
    }
    var loop = new DeliveryLoop(target.get(), delivery, deliveries, clock, metrics);
    return new BackgroundLoop(loops, thread, true, loop::round);
  }

  /** Delivers to one target in rounds, and measures its backlog. */
  static final class DeliveryLoop {
    private final DeliveryTarget target;
    private final Delivery delivery;
    private final Deliveries deliveries;
    private final Clock clock;
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong failing = new AtomicLong();
    private boolean registered;

    DeliveryLoop(
        DeliveryTarget target,
        Delivery delivery,
        Deliveries deliveries,
        Clock clock,
        MeterRegistry metrics) {
      this.target = target;
      this.delivery = delivery;
      this.deliveries = deliveries;
      this.clock = clock;
      Gauge.builder("palmares.outbox.waiting", waiting, AtomicLong::get)
          .description("facts that are not delivered to the target yet")
          .baseUnit("facts")
          .tag("target", target.name())
          .register(metrics);
      Gauge.builder("palmares.outbox.failing", failing, AtomicLong::get)
          .description("how long deliveries to the target have failed")
          .baseUnit("seconds")
          .tag("target", target.name())
          .register(metrics);
    }

    /** Delivers the whole backlog, unless the process stops. */
    void round(BooleanSupplier goesOn) {
      if (!registered) {
        delivery.register(target);
        registered = true;
      }
      while (goesOn.getAsBoolean() && delivery.deliverNext(target)) {
        measure();
      }
      measure();
    }

    private void measure() {
      for (DeliveryStatus status : deliveries.all()) {
        if (status.name().equals(target.name())) {
          waiting.set(status.waiting());
          failing.set(
              status.failingSince() == null
                  ? 0
                  : Duration.between(status.failingSince(), clock.instant()).toSeconds());
        }
      }
    }
  }
}
