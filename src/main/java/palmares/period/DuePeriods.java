package palmares.period;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.Board;

/** What is due. */
@Component
public class DuePeriods {
  private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
  private static final Duration LAST_RETRY = Duration.ofHours(1);
  private static final Duration LAST_EXPIRY_RETRY = Duration.ofHours(6);

  private final JdbcClient jdbc;
  private final Clock clock;

  DuePeriods(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Closings that no person has to look at first; one whose hour of release has come is such. */
  private static final String MAY_GO_ON =
      """
      and state <> 'rejected'
      and (state <> 'held'
        or exists (
          select from revision
          where revision.period_id = period.id and release_at <= :now))
      """;

  /**
   * Due and not settled, whoever asks: in the order of their ends. Leaves alone what failed a short
   * while ago, what an import opened that has not ended, and what waits for a person.
   */
  public List<PeriodId> due() {
    return ids(
        """
        select period.id from period
        left join import_run on import_run.id = period.opened_by_import
        where settled_at is null
          and closes_at <= :now
          and (retry_at is null or retry_at <= :now)
          and (import_run.id is null or import_run.ended_at is not null)
        """
            + MAY_GO_ON
            + "order by closes_at, period.id",
        clock.instant());
  }

  /** Due for an operator who asks: failed ones too, and those of an import that is no more. */
  public List<PeriodId> dueOnDemand() {
    return ids(
        """
        select period.id from period
        left join import_run on import_run.id = period.opened_by_import
        where settled_at is null
          and closes_at <= :now
          and (import_run.id is null
            or import_run.ended_at is not null
            or import_run.heartbeat_at <= :now - interval '10 seconds')
        """
            + MAY_GO_ON
            + "order by closes_at, period.id",
        clock.instant());
  }

  /** How many are due, but left alone since an import that is alive fills them. */
  public long dueButFilling() {
    return jdbc.sql(
            """
            select count(*) from period
            join import_run on import_run.id = period.opened_by_import
            where settled_at is null
              and closes_at <= :now
              and import_run.ended_at is null
              and import_run.heartbeat_at > :now - interval '10 seconds'
            """)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(Long.class)
        .single();
  }

  /**
   * @throws WrongState if the period still takes events, or always will
   */
  public void requireOver(Period period) {
    Instant closes = period.closesAt();
    if (closes == null) {
      throw new WrongState("%s never closes".formatted(period.label()));
    }
    if (clock.instant().isBefore(closes)) {
      throw new WrongState(
          "%s cannot be closed yet: its end and grace are over at %s"
              .formatted(period.label(), closes));
    }
  }

  /**
   * Settled, past their retention, and with no amendment that waits: their live keys may go. Leaves
   * out those whose expiry failed a short while ago; those that never failed come first.
   */
  public List<PeriodId> expirable() {
    return ids(
        """
        select id from expirable
        where expires_at <= :now and (expiry_retry_at is null or expiry_retry_at <= :now)
        order by expiry_failures, expires_at, id
        """,
        clock.instant());
  }

  /** As {@link #expirable}, for an operator who asks: those that failed a short while ago, too. */
  public List<PeriodId> expirableOnDemand() {
    return ids(
        "select id from expirable where expires_at <= :now order by expires_at, id",
        clock.instant());
  }

  /** Whether the period is {@link #expirable} now. */
  public boolean mayExpire(PeriodId period) {
    return jdbc.sql("select exists (select from expirable where id = :id and expires_at <= :now)")
        .param("id", period.value())
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(Boolean.class)
        .single();
  }

  private List<PeriodId> ids(String sql, Instant now) {
    return jdbc.sql(sql)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list();
  }

  /** When the next period of all is due that is not settled yet. */
  public Optional<Instant> nextClose() {
    return jdbc.sql(
            """
            select min(closes_at) from period
            where settled_at is null and closes_at > :now
            """)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant);
  }

  /** When the board's next period is due that is not settled yet. */
  public Optional<Instant> nextClose(Board board) {
    return jdbc.sql(
            """
            select min(closes_at) from period
            where board = :board and settled_at is null and closes_at > :now
            """)
        .param("board", board.id().value())
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant);
  }

  /**
   * Keeps why a closing failed, and puts the next attempt off for twice as long each time; does
   * nothing to a period that somebody else has, or that is settled all the same.
   */
  @Transactional
  public void putOff(Lease lease, String failure) {
    jdbc.sql(
            """
            update period
            set
              failures = failures + 1,
              failure = :failure,
              retry_at = :now + least(
                :first::interval * power(2, least(failures, 20)), :last::interval)
            where id = :id and fence = :fence and state not in ('settled', 'expired')
            """)
        .param("failure", failure)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .param("first", FIRST_RETRY.toString())
        .param("last", LAST_RETRY.toString())
        .param("id", lease.period().value())
        .param("fence", lease.fence())
        .update();
  }

  /**
   * Keeps why the live keys of a settled period stay, and puts their next expiry off for twice as
   * long each time; does nothing to a period that another process has.
   *
   * @return when it is tried again; empty if another process has the period
   */
  @Transactional
  public Optional<Instant> putOffExpiry(Lease lease, String failure) {
    return jdbc.sql(
            """
            update period
            set
              expiry_failures = expiry_failures + 1,
              expiry_failure = :failure,
              expiry_retry_at = :now + least(
                :first::interval * power(2, least(expiry_failures, 20)), :last::interval)
            where id = :id and fence = :fence and state = 'settled'
            returning expiry_retry_at
            """)
        .param("failure", failure)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .param("first", FIRST_RETRY.toString())
        .param("last", LAST_EXPIRY_RETRY.toString())
        .param("id", lease.period().value())
        .param("fence", lease.fence())
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant);
  }
}
