package palmares.operations.inbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Finds people for whom somebody has guessed passwords. */
@Component
class Lockouts {
  /** Long enough for the morning after. */
  private static final Duration SHOWN_FOR = Duration.ofDays(1);

  private final JdbcClient jdbc;
  private final Clock clock;

  Lockouts(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * A person who is or was locked out.
   *
   * @param since the first lockout of the last day
   * @param addresses from where, a few of them; null if the person's own browsers alone are locked
   */
  record Lockout(String person, Instant since, @Nullable String addresses) {}

  List<Lockout> ofLastDay() {
    return jdbc.sql(
            """
            with lockout as (
              select
                person, last_at, locked_until,
                case when source not like 'browser %' and source <> '' then source end as address,
                row_number() over (partition by person order by last_at desc, source) as n
              from sign_in_attempt
              where locked_until > :since
            )
            select
              person, min(last_at) as since,
              string_agg(address, ', ' order by n) filter (where n <= 5) as addresses
            from lockout
            group by person
            order by person
            """)
        .param("since", clock.instant().minus(SHOWN_FOR))
        .query(Lockout.class)
        .list();
  }
}
