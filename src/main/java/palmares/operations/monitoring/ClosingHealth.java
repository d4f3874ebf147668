package palmares.operations.monitoring;

import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.ClosingForecast.Late;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;

/**
 * Reports periods that do not settle without help: DOWN if one is overdue or its closing failed,
 * WARN if one has waited for a person longer than {@code palmares.signals.max-held-age}, or if a
 * closing takes much longer than is usual on its board. A period that is due on a paused board is
 * listed from the beginning.
 */
@Component("closingHealthIndicator")
class ClosingHealth extends AbstractHealthIndicator {
  static final Status WARN = new Status("WARN");

  /** More names would hide the first. */
  private static final int MAX_NAMES = 20;

  private final PeriodSignals signals;
  private final SignalSettings settings;
  private final ClosingForecast forecast;
  private final Catalogue catalogue;

  ClosingHealth(
      PeriodSignals signals,
      SignalSettings settings,
      ClosingForecast forecast,
      Catalogue catalogue) {
    this.forecast = forecast;
    this.catalogue = catalogue;
    this.signals = signals;
    this.settings = settings;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    List<Attention> all = signals.attention();
    List<Attention> broken = all.stream().filter(period -> !period.kind().needsPerson()).toList();
    List<Attention> waiting =
        all.stream()
            .filter(period -> period.kind().needsPerson())
            .filter(period -> isLong(period) || period.kind() == Attention.Kind.PAUSED)
            .toList();
    boolean late = waiting.stream().anyMatch(this::isLong);
    List<Late> slow = forecast.late(catalogue.all().stream().map(Board::id).toList());
    boolean warns = late || !slow.isEmpty();
    health.status(!broken.isEmpty() ? Status.DOWN : warns ? WARN : Status.UP);
    slow.stream().limit(MAX_NAMES).forEach(closing -> name(health, closing));
    broken.stream().limit(MAX_NAMES).forEach(period -> name(health, period));
    waiting.stream().limit(MAX_NAMES).forEach(period -> name(health, period));
  }

  private static void name(Health.Builder health, Late closing) {
    health.withDetail(
        closing.board() + " " + closing.period(),
        "closing for %d s, usually %d s"
            .formatted(Math.round(closing.seconds()), Math.round(closing.usualSeconds())));
  }

  private boolean isLong(Attention period) {
    return period.age().compareTo(settings.maxHeldAge()) > 0;
  }

  private static void name(Health.Builder health, Attention period) {
    String since = "%s for %d s".formatted(period.kind().word(), period.age().toSeconds());
    health.withDetail(
        period.label(), period.reason() == null ? since : since + ": " + period.reason());
  }
}
