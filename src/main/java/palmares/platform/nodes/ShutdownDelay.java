package palmares.platform.nodes;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.context.WebApplicationContext;
import palmares.platform.text.Setting;

/**
 * Keeps both ports of a stopping server open for a while after it has stopped being ready. Then
 * Spring Boot refuses new requests, and lets running ones end.
 */
@Component
@EnableConfigurationProperties(ShutdownDelay.Settings.class)
class ShutdownDelay implements ApplicationListener<ContextClosedEvent>, Ordered {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownDelay.class);

  private final ApplicationContext application;
  private final Settings settings;
  private final Pause pause;

  /**
   * Settings of how a server stops.
   *
   * @param drainTime how long a server that is stopped still takes requests, although it reports
   *     that it is not ready, so that load balancers have stopped sending requests before it
   *     refuses them
   */
  @ConfigurationProperties("palmares.server")
  record Settings(@DefaultValue("0s") Duration drainTime) {
    private static final Duration MAX_DRAIN_TIME = Duration.ofMinutes(5);

    Settings {
      new Setting("palmares.server.drain-time")
          .requireWithin(Duration.ZERO, MAX_DRAIN_TIME, drainTime);
    }
  }

  /** Waits; a test does something meanwhile. */
  @FunctionalInterface
  interface Pause {
    void await(Duration time) throws InterruptedException;
  }

  ShutdownDelay(ApplicationContext application, Settings settings, ObjectProvider<Pause> pause) {
    this.application = application;
    this.settings = settings;
    this.pause = pause.getIfAvailable(() -> time -> Thread.sleep(time.toMillis()));
  }

  /** Spring Boot has published before that the server is not ready any more. */
  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    // The management port has another context, which also closes. Commands have no port.
    if (event.getApplicationContext() != application
        || !(application instanceof WebApplicationContext)
        || settings.drainTime().isZero()) {
      return;
    }
    LOG.info(
        "not ready any more; takes requests for another {} s", settings.drainTime().toSeconds());
    try {
      pause.await(settings.drainTime());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Comes before Boot closes the management port. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }
}
