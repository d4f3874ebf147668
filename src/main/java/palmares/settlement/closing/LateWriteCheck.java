package palmares.settlement.closing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.UnreadableDefinition;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;

/**
 * Reports writes to an adopted board after its seal; changes neither them nor what was paid. They
 * are looked for by each closing step, by the sweep for a while, by the nightly verification until
 * the live keys go, and then once more.
 */
@Component
@EnableConfigurationProperties(LateWriteCheck.Settings.class)
class LateWriteCheck {
  private static final Logger LOG = LoggerFactory.getLogger(LateWriteCheck.class);

  private final AdoptedBoards adopted;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final JdbcClient jdbc;
  private final Clock clock;
  private final Settings settings;
  private final Counter keys;

  LateWriteCheck(
      AdoptedBoards adopted,
      Periods periods,
      BoardDefinitions definitions,
      JdbcClient jdbc,
      Clock clock,
      Settings settings,
      MeterRegistry metrics) {
    this.adopted = adopted;
    this.periods = periods;
    this.definitions = definitions;
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
    this.keys =
        Counter.builder("palmares.late.writes")
            .description("keys of adopted boards that were written after the seal")
            .register(metrics);
  }

  /**
   * How long late writes are looked for.
   *
   * @param watch how long after the seal the sweep looks for them; not negative
   */
  @ConfigurationProperties("palmares.late-writes")
  record Settings(@DefaultValue("24h") Duration watch) {
    Settings {
      if (watch.isNegative()) {
        throw new IllegalArgumentException(
            "palmares.late-writes.watch is %s, and must not be negative".formatted(watch));
      }
    }
  }

  void look(Closing closing) {
    look(closing.period(), closing.board());
  }

  /** Looks at the periods that were sealed lately. */
  void watch() {
    lookSince(clock.instant().minus(settings.watch()));
  }

  /** Looks at all periods that were sealed and whose live keys are kept still. */
  void watchAll() {
    lookSince(Instant.EPOCH);
  }

  private void lookSince(Instant since) {
    for (Period period : sealedSince(since)) {
      try {
        if (!look(period, definitions.of(period))) {
          return;
        }
      } catch (UnreadableDefinition e) {
        LOG.warn("no search for late writes {}: {}", period.label(), e.getMessage());
      }
    }
  }

  /** Only boards that Palmares never wrote can be adopted ones. */
  private List<Period> sealedSince(Instant since) {
    return jdbc
        .sql(
            """
            select id from period
            where sealed_at > :since and state <> 'expired' and live_at is null
            order by sealed_at desc
            """)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list()
        .stream()
        .map(periods::get)
        .toList();
  }

  /** False if Redis does not answer. */
  private boolean look(Period period, Board board) {
    if (board.adoption() == null) {
      return true;
    }
    try {
      adopted.written(period, board).forEach((key, entries) -> report(period, key, entries));
      return true;
    } catch (RedisUnavailable e) {
      LOG.warn("no search for late writes {}: {}", period.label(), e.getMessage());
      return false;
    }
  }

  private void report(Period period, String key, long entries) {
    boolean first =
        jdbc.sql(
                """
                insert into late_write (period_id, key, entries, seen_at)
                values (:period, :key, :entries, :now)
                on conflict (period_id, key) do update
                set entries = excluded.entries, seen_at = excluded.seen_at
                returning xmax = 0
                """)
            .param("period", period.id().value())
            .param("key", key)
            .param("entries", entries)
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .query(Boolean.class)
            .single();
    if (first) {
      keys.increment();
      LOG.warn(
          "late writes board={} period={} key={} entries={}: they are not paid; 'palmares report'"
              + " shows how many there are",
          period.board(),
          period.name(),
          key,
          entries);
    }
  }
}
