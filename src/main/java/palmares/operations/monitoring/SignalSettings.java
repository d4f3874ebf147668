package palmares.operations.monitoring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.text.Setting;

/**
 * When a period needs attention.
 *
 * @param background whether this process reads signals continuously; a server does
 * @param overdueAfter how long after it is due a period is overdue if no closing of it has failed
 * @param maxHeldAge how long a period may wait for a person before health warns
 */
@ConfigurationProperties("palmares.signals")
record SignalSettings(
    @DefaultValue("false") boolean background,
    @DefaultValue("10m") Duration overdueAfter,
    @DefaultValue("24h") Duration maxHeldAge) {

  SignalSettings {
    var signals = new Setting("palmares.signals");
    signals.part("overdue-after").requireAtLeast(Duration.ofMillis(1), overdueAfter);
    signals.part("max-held-age").requireAtLeast(Duration.ofMillis(1), maxHeldAge);
  }
}
