package palmares.settlement.watch;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LivePage;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.infra.WorkPermit;
import palmares.platform.text.Setting;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.settlement.watch.RankWatch.Compared;

/**
 * Compares every watched board that has changed. Several servers may do so; each board is compared
 * by one at a time, and by another as soon as that one dies.
 */
@Component
@EnableConfigurationProperties(WatchRound.Settings.class)
class WatchRound {
  /**
   * Configures what watched boards are compared for.
   *
   * @param factsPerRound the most facts about ranks that a server stores in a round, of which there
   *     is one a second; the next rounds store the others; 1 to 10000
   */
  @ConfigurationProperties("palmares.watch")
  record Settings(@DefaultValue("500") int factsPerRound) {
    Settings {
      new Setting("palmares.watch.facts-per-round").requireWithin(1, 10_000, factsPerRound);
    }
  }

  /** Compares while a server runs that delivers facts. */
  @Component
  static class Watching extends BackgroundLoop {
    Watching(
        Loops loops,
        WatchRound round,
        WorkPermit permit,
        @Value("${palmares.outbox.background:false}") boolean delivers) {
      super(
          loops,
          "rank watch",
          delivers,
          goesOn -> {
            permit.require();
            round.run(goesOn);
          });
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(WatchRound.class);

  private final Periods periods;
  private final RankWatch watch;
  private final Settings settings;
  private final Clock clock;

  /**
   * What this server has compared, so that a board that does not change costs one call to Redis.
   */
  private final Map<PeriodId, Compared> compared = new HashMap<>();

  /** The first board of the next round, so that busy ones take no other's share of the facts. */
  private int first;

  private boolean failing;

  WatchRound(Periods periods, RankWatch watch, Settings settings, Clock clock) {
    this.periods = periods;
    this.watch = watch;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Compares all boards once, unless their facts would only pile up. One that cannot be read does
   * not keep the others.
   *
   * @param mayContinue is asked before each board; false ends the round
   * @throws RuntimeException if PostgreSQL or Redis does not answer
   */
  void run(BooleanSupplier mayContinue) {
    List<Period> watched = watched();
    if (!watched.isEmpty() && watch.isParked()) {
      return;
    }
    compared.keySet().retainAll(watched.stream().map(Period::id).collect(Collectors.toSet()));
    int left = settings.factsPerRound();
    RuntimeException outage = null;
    RuntimeException failure = null;
    for (int i = 0; i < watched.size() && left > 0 && mayContinue.getAsBoolean(); i++) {
      Period period = watched.get((first + i) % watched.size());
      try {
        left -= compare(period, left);
      } catch (LiveBoardUnavailable halted) {
        LOG.debug("watched board {} is not read while it is halted", period.label(), halted);
      } catch (RuntimeException e) {
        if (Outages.server(e).isPresent()) {
          outage = e;
        } else {
          failure = report(period, e, failure);
        }
      }
    }
    first = watched.isEmpty() ? 0 : (first + 1) % watched.size();
    failing = failure != null;
    if (outage != null) {
      throw outage;
    }
  }

  private RuntimeException report(
      Period period, RuntimeException e, @Nullable RuntimeException earlier) {
    if (!failing && earlier == null) {
      LOG.warn(
          "watched board {} cannot be compared and is tried again: {}",
          period.label(),
          Outages.reason(e));
      LOG.debug("watched board cannot be compared", e);
    }
    return e;
  }

  /** The open periods that are watched, and those that were closed since the last comparison. */
  private List<Period> watched() {
    var all = new ArrayList<>(periods.open());
    Set<PeriodId> open = all.stream().map(Period::id).collect(Collectors.toSet());
    List<PeriodId> closed =
        watch.goingOn().stream().filter(period -> !open.contains(period)).toList();
    if (!closed.isEmpty()) {
      all.addAll(periods.find(closed));
    }
    Set<PeriodId> past = watch.past();
    return all.stream()
        .filter(period -> !past.contains(period.id()))
        .filter(watch::isWatched)
        .toList();
  }

  private int compare(Period period, int maxMoves) {
    if (period.state() == PeriodState.OPEN && isUpToDate(period)) {
      return 0; // What is closed is compared until it is known to be over.
    }
    Compared result = watch.compare(period, maxMoves);
    if (result.version() == null) {
      compared.remove(period.id());
    } else {
      compared.put(period.id(), result);
    }
    return result.moves();
  }

  private boolean isUpToDate(Period period) {
    Compared last = compared.get(period.id());
    if (last == null) {
      return false;
    }
    LivePage.Version version = watch.version(period).orElse(null);
    Instant nextAt = last.nextAt();
    return last.version() != null
        && last.version().equals(version)
        && (nextAt == null || clock.instant().isBefore(nextAt));
  }
}
