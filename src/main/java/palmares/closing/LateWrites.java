package palmares.closing;

import java.time.Clock;
import java.time.ZoneOffset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.AdoptedBoards;
import palmares.live.LiveUnavailable;
import palmares.period.Period;

/** What the program of an adopted board writes after the seal: told, and left alone. */
@Component
class LateWrites {
  private static final Logger LOG = LoggerFactory.getLogger(LateWrites.class);

  private final AdoptedBoards adopted;
  private final JdbcClient jdbc;
  private final Clock clock;

  LateWrites(AdoptedBoards adopted, JdbcClient jdbc, Clock clock) {
    this.adopted = adopted;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  void look(Closing closing) {
    Period period = closing.period();
    if (closing.board().adoption() == null) {
      return;
    }
    try {
      adopted
          .written(period, closing.board())
          .forEach((key, entries) -> tell(period, key, entries));
    } catch (LiveUnavailable e) {
      LOG.warn(
          "not looked for late writes board={} period={}: {}",
          period.board(),
          period.name(),
          e.getMessage());
    }
  }

  private void tell(Period period, String key, long entries) {
    LOG.warn(
        "late writes board={} period={} key={} entries={}: they are not paid",
        period.board(),
        period.name(),
        key,
        entries);
    jdbc.sql(
            """
            insert into late_write (period_id, key, entries, seen_at)
            values (:period, :key, :entries, :now)
            on conflict (period_id, key) do update
            set entries = excluded.entries, seen_at = excluded.seen_at
            """)
        .param("period", period.id().value())
        .param("key", key)
        .param("entries", entries)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
  }
}
