package palmares.operations.signals;

import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * Reports periods that do not settle without help: DOWN if one is overdue or its closing failed,
 * WARN if one has waited for a person longer than {@code palmares.signals.waiting-after}.
 */
@Component("closingHealthIndicator")
class ClosingHealth extends AbstractHealthIndicator {
  static final Status WARN = new Status("WARN");

  /** More names would hide the first. */
  private static final int MAX_NAMES = 20;

  private final PeriodSignals signals;
  private final SignalSettings settings;

  ClosingHealth(PeriodSignals signals, SignalSettings settings) {
    this.signals = signals;
    this.settings = settings;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    List<Attention> all = signals.attention();
    List<Attention> broken =
        all.stream().filter(period -> period.kind() != Attention.Kind.HELD).toList();
    List<Attention> waiting =
        all.stream()
            .filter(period -> period.kind() == Attention.Kind.HELD)
            .filter(period -> period.age().compareTo(settings.waitingAfter()) > 0)
            .toList();
    health.status(!broken.isEmpty() ? Status.DOWN : waiting.isEmpty() ? Status.UP : WARN);
    broken.stream().limit(MAX_NAMES).forEach(period -> name(health, period));
    waiting.stream().limit(MAX_NAMES).forEach(period -> name(health, period));
  }

  private static void name(Health.Builder health, Attention period) {
    String since = "%s for %d s".formatted(period.kind().word(), period.age().toSeconds());
    health.withDetail(
        period.label(), period.reason() == null ? since : since + ": " + period.reason());
  }
}
