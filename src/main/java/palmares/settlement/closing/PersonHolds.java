package palmares.settlement.closing;

import static palmares.platform.time.SqlTime.utc;

import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;

/** Stores which periods a person keeps from being paid without approval. */
@Component
class PersonHolds {
  private final JdbcClient jdbc;

  PersonHolds(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns false if a person holds the period already. */
  boolean add(PeriodId period, String by, Instant at, String reason) {
    return jdbc.sql(
                """
                insert into person_hold (period_id, made_by, made_at, reason)
                values (:period, :by, :at, :reason)
                on conflict do nothing
                """)
            .param("period", period.value())
            .param("by", by)
            .param("at", utc(at))
            .param("reason", reason)
            .update()
        == 1;
  }

  /** Returns false if no person holds the period. */
  boolean remove(PeriodId period) {
    return jdbc.sql("delete from person_hold where period_id = :period")
            .param("period", period.value())
            .update()
        == 1;
  }
}
