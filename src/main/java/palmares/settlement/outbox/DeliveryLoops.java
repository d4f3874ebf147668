package palmares.settlement.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSender;
import palmares.platform.infra.WorkPermit;
import palmares.platform.redis.RedisClient;
import palmares.platform.text.Setting;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Spans;
import palmares.settlement.outbox.MailTarget.MailSettings;
import palmares.settlement.wallet.WalletSettings;

/**
 * Runs a background loop for each configured target, so that a slow target delays no other. If
 * several processes serve a target, one at a time delivers to it; the others skip their turn.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
  OutboxSettings.class,
  Webhooks.class,
  WalletSettings.class,
  RedisStreamTarget.Settings.class,
  MailSettings.class
})
class DeliveryLoops {
  private final OutboxSettings settings;
  private final Delivery delivery;
  private final Clock clock;
  private final Loops loops;
  private final Spans spans;
  private final WorkPermit permit;

  DeliveryLoops(
      OutboxSettings settings,
      Delivery delivery,
      Clock clock,
      Loops loops,
      Spans spans,
      WorkPermit permit) {
    this.spans = spans;
    this.permit = permit;
    this.settings = settings;
    this.delivery = delivery;
    this.clock = clock;
    this.loops = loops;
  }

  @Bean
  BackgroundLoop webhookLoop(Webhooks webhooks) {
    return loop(
        WebhookTarget.NAME,
        webhooks.webhook() == null
            ? Optional.empty()
            : Optional.of(new WebhookTarget(WebhookTarget.NAME, webhooks.webhook(), clock, spans)));
  }

  /** Runs a loop for each further webhook. */
  @Bean
  SmartLifecycle namedWebhookLoops(Webhooks webhooks) {
    return new LoopGroup(
        webhooks.webhooks().entrySet().stream()
            .map(
                named ->
                    loop(
                        named.getKey(),
                        Optional.of(
                            new WebhookTarget(named.getKey(), named.getValue(), clock, spans))))
            .toList());
  }

  /** Several loops that start and stop together. */
  private record LoopGroup(List<BackgroundLoop> loops) implements SmartLifecycle {
    @Override
    public void start() {
      loops.stream().filter(BackgroundLoop::isAutoStartup).forEach(BackgroundLoop::start);
    }

    @Override
    public void stop() {
      loops.parallelStream().forEach(BackgroundLoop::stop);
    }

    @Override
    public boolean isRunning() {
      return loops.stream().anyMatch(BackgroundLoop::isRunning);
    }

    @Override
    public int getPhase() {
      return DEFAULT_PHASE - 1;
    }
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
      throw new Setting("spring.mail.host")
          .missing(new TargetSettingSentences.MailServer("palmares.outbox.mail.to"));
    }
    return loop(MailTarget.NAME, Optional.of(new MailTarget(mail, server)));
  }

  private BackgroundLoop loop(String name, Optional<DeliveryTarget> target) {
    String thread = "outbox " + name;
    if (!settings.background() || target.isEmpty()) {
      return new BackgroundLoop(loops, thread, false, goesOn -> {});
    }
    var loop = new DeliveryLoop(target.get(), delivery);
    return new BackgroundLoop(
        loops,
        thread,
        true,
        goesOn ->
            loop.round(
                () -> {
                  permit.require();
                  return goesOn.getAsBoolean();
                }));
  }

  /** Delivers to one target in rounds. */
  static final class DeliveryLoop {
    private final DeliveryTarget target;
    private final Delivery delivery;
    private @Nullable Instant registeredAt;

    DeliveryLoop(DeliveryTarget target, Delivery delivery) {
      this.target = target;
      this.delivery = delivery;
    }

    /** Delivers the whole backlog, unless the process stops. */
    void round(BooleanSupplier goesOn) {
      boolean more = true;
      while (more) {
        registeredAt = delivery.keepRegistered(target, registeredAt);
        more = goesOn.getAsBoolean() && delivery.deliverNext(target);
      }
    }
  }
}
