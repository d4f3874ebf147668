package palmares.operations.monitoring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;
import palmares.live.journal.JournalFaults;
import palmares.live.journal.JournalFaults.Fault;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.ClosingForecast.Late;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.BoundedCalls;
import palmares.platform.threads.HealthSentences;
import palmares.platform.threads.Outages;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;

/**
 * Reports periods that do not settle without help: DOWN if one is overdue, its closing failed, or
 * its live board is lost or disagrees with its journal; WARN if one has waited for a person longer
 * than {@code palmares.signals.max-held-age}, or if a closing takes much longer than is usual on
 * its board. A period that is due on a paused board is listed from the beginning. It answers within
 * a second; if PostgreSQL does not, by what was read before.
 */
@Component("closingHealthIndicator")
class ClosingHealth implements HealthIndicator {
  static final Status WARN = new Status("WARN");

  /** More names would hide the first. */
  private static final int MAX_NAMES = 20;

  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final PeriodSignals signals;
  private final SignalSettings settings;
  private final ClosingForecast forecast;
  private final Catalogue catalogue;
  private final JournalFaults faults;
  private final BoundedCalls<String, Findings> reads =
      new BoundedCalls<>("closing-health", MAX_WAIT);
  private volatile @Nullable Findings last;

  ClosingHealth(
      PeriodSignals signals,
      SignalSettings settings,
      ClosingForecast forecast,
      Catalogue catalogue,
      JournalFaults faults) {
    this.faults = faults;
    this.forecast = forecast;
    this.catalogue = catalogue;
    this.signals = signals;
    this.settings = settings;
  }

  private record Findings(List<Attention> attention, List<Late> slow, List<Fault> faults) {}

  @Override
  public Health health() {
    try {
      Optional<Findings> read = reads.call("closing", this::read);
      if (read.isPresent()) {
        last = read.get();
        return health(read.get()).build();
      }
    } catch (RuntimeException e) {
      if (Outages.server(e).isEmpty()) {
        return Health.down(e).build();
      }
    }
    Findings known = last;
    return (known == null ? Health.unknown() : health(known))
        .withDetail("database", Texts.here().of(new HealthSentences.ReadBefore()))
        .build();
  }

  private Findings read() {
    return new Findings(
        signals.attention(),
        forecast.late(catalogue.all().stream().map(Board::id).toList()),
        faults.all());
  }

  private Health.Builder health(Findings found) {
    var health = new Health.Builder();
    List<Attention> all = found.attention();
    List<Attention> broken = all.stream().filter(period -> !period.kind().needsPerson()).toList();
    List<Attention> waiting =
        all.stream()
            .filter(period -> period.kind().needsPerson())
            .filter(period -> isLong(period) || period.kind() == Attention.Kind.PAUSED)
            .toList();
    boolean late = waiting.stream().anyMatch(this::isLong);
    boolean warns = late || !found.slow().isEmpty();
    boolean isDown = !broken.isEmpty() || !found.faults().isEmpty();
    health.status(isDown ? Status.DOWN : warns ? WARN : Status.UP);
    found.slow().stream().limit(MAX_NAMES).forEach(closing -> name(health, closing));
    broken.stream().limit(MAX_NAMES).forEach(period -> name(health, period));
    waiting.stream().limit(MAX_NAMES).forEach(period -> name(health, period));
    found.faults().stream()
        .limit(MAX_NAMES)
        .forEach(fault -> health.withDetail(fault.label(), Texts.here().of(fault.said())));
    return health;
  }

  private static void name(Health.Builder health, Late closing) {
    health.withDetail(
        closing.board() + " " + closing.period(),
        Texts.here()
            .of(
                new HealthSentences.Slow(
                    Math.round(closing.seconds()), Math.round(closing.usualSeconds()))));
  }

  private boolean isLong(Attention period) {
    return period.age().compareTo(settings.maxHeldAge()) > 0;
  }

  private static void name(Health.Builder health, Attention period) {
    Sentence reason = period.reason();
    health.withDetail(
        period.label(),
        Texts.here()
            .of(
                new HealthSentences.Waits(
                    period.kind(),
                    period.age().toSeconds(),
                    reason == null ? null : new HealthSentences.Because(reason))));
  }
}
