package palmares.settlement.closing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Setting;
import palmares.rules.board.Board;

/**
 * Reports writes to an adopted board after its seal. It changes neither them nor what was paid.
 *
 * <p>Each step of a closing checks its period once it is sealed, the sweep checks the periods that
 * were sealed within {@link Settings#watch}, and the nightly verification checks all that have live
 * keys.
 */
@Component
@EnableConfigurationProperties(LateWriteCheck.Settings.class)
public class LateWriteCheck {
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
   * Configures the check.
   *
   * @param watch how long after the seal the sweep checks a period; not negative
   */
  @ConfigurationProperties("palmares.late-writes")
  record Settings(@DefaultValue("24h") Duration watch) {
    Settings {
      new Setting("palmares.late-writes.watch").requireAtLeast(Duration.ZERO, watch);
    }
  }

  void check(Closing closing) {
    check(closing.period(), closing.board());
  }

  /** Checks the periods that were sealed within {@link Settings#watch}. */
  void checkRecent() {
    checkSince(clock.instant().minus(settings.watch()));
  }

  /** Checks all sealed periods that have live keys. */
  public void checkAll() {
    checkSince(Instant.EPOCH);
  }

  private void checkSince(Instant since) {
    for (Period period : sealedSince(since)) {
      try {
        if (!check(period, definitions.of(period))) {
          return;
        }
      } catch (UnreadableDefinition e) {
        LOG.warn("late writes of {} not checked: {}", period.label(), e.getMessage());
      }
    }
  }

  /** Leaves out periods with a live board of ours, which cannot be adopted. */
  private List<Period> sealedSince(Instant since) {
    return jdbc
        .sql(
            """
            select id from period
            where sealed_at > :since and state <> 'expired' and live_at is null
            order by sealed_at desc
            """)
        .param("since", since)
        .query(PeriodId.class)
        .list()
        .stream()
        .map(periods::get)
        .toList();
  }

  /** Returns false if Redis does not answer. */
  private boolean check(Period period, Board board) {
    try {
      board
          .kind()
          .run(
              () -> {}, // Its own script refuses all changes after the seal.
              adoption ->
                  adopted
                      .written(period, board)
                      .forEach((key, entries) -> report(period, key, entries)));
      return true;
    } catch (RedisUnavailable e) {
      LOG.warn("late writes of {} not checked: {}", period.label(), e.getMessage());
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
            .param("period", period.id())
            .param("key", key)
            .param("entries", entries)
            .param("now", clock.instant())
            .query(Boolean.class)
            .single();
    if (first) {
      keys.increment();
      LOG.warn(
          "late writes board={} period={} key={} entries={}: they are not paid; '{}' shows their"
              + " number",
          period.board(),
          period.name(),
          key,
          entries,
          Commands.of(Next.of("report", period.board(), period.name())));
    }
  }
}
