package palmares.period;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Leases on periods: one holder at a time, and a number that tells the present from the former. */
@Component
public class Leases {
  /** A holder that shows no sign of life for so long has lost its lease to whoever asks. */
  static final Duration LENGTH = Duration.ofSeconds(20);

  /** So soon after a sign of life there is no other. */
  private static final Duration YOUNG = Duration.ofSeconds(5);

  private final JdbcClient jdbc;
  private final Clock clock;

  Leases(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Takes the period if nobody has it, or its holder is silent. A row that a living holder has
   * locked is skipped, so a long transaction never loses its lease; those who only keep the row as
   * it is while they commit events to it are no holders.
   */
  public Optional<Lease> take(PeriodId period, String owner) {
    Instant now = clock.instant();
    return jdbc.sql(
            """
            with free as (
              select id from period
              where id = :id and (lease_until is null or lease_until <= :now)
              for no key update skip locked)
            update period
            set lease_owner = :owner, lease_until = :until, fence = fence + 1
            from free
            where period.id = free.id
            returning fence
            """)
        .param("id", period.value())
        .param("owner", owner)
        .param("now", utc(now))
        .param("until", utc(now.plus(LENGTH)))
        .query(Long.class)
        .optional()
        .map(fence -> new Lease(period, fence, owner));
  }

  /**
   * Renews the lease and locks the row, so that nobody takes the period over before the transaction
   * ends. Every step's transaction begins with it: the database lets lines and payments into an
   * outcome, or out of it, only in such a transaction.
   *
   * @throws StaleLease if somebody took it over already
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void hold(Lease lease) {
    if (!extend(lease, clock.instant(), OffsetDateTime.MAX)) {
      throw new StaleLease(lease);
    }
    jdbc.sql("select set_config('palmares.fence', :fence, true)")
        .param("fence", Long.toString(lease.fence()))
        .query(String.class)
        .single();
  }

  /**
   * Keeps anybody from taking the period over before the transaction ends, beside others who do the
   * same for the same holder.
   *
   * @throws StaleLease if somebody took it over already
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void share(Lease lease) {
    boolean shared =
        jdbc.sql(
                """
                select fence
                from (
                  select fence from period
                  where id = :id and fence = :fence and lease_owner is not null
                  for share
                ) held
                where set_config('palmares.fence', fence::text, true) <> ''
                """)
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .query(Long.class)
            .optional()
            .isPresent();
    if (!shared) {
      throw new StaleLease(lease);
    }
  }

  /**
   * Shows a sign of life, unless the last one is young: a sign waits for the pieces of work that
   * {@link #share} the lease, and the next ones for it.
   *
   * @throws StaleLease if somebody took the period over already
   */
  public void renew(Lease lease) {
    Instant now = clock.instant();
    if (!extend(lease, now, utc(now.plus(LENGTH).minus(YOUNG))) && !holds(lease)) {
      throw new StaleLease(lease);
    }
  }

  /** Makes the lease last its length from now on, if it would not outlast a time. */
  private boolean extend(Lease lease, Instant now, OffsetDateTime least) {
    return jdbc.sql(
                """
                update period
                set lease_until = :until
                where id = :id and fence = :fence and lease_owner is not null
                  and lease_until <= :least
                """)
            .param("until", utc(now.plus(LENGTH)))
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .param("least", least)
            .update()
        == 1;
  }

  /** Whether the lease is still the present one. */
  public boolean holds(Lease lease) {
    return jdbc.sql(
            """
            select exists (
              select from period where id = :id and fence = :fence and lease_owner is not null)
            """)
        .param("id", lease.period().value())
        .param("fence", lease.fence())
        .query(Boolean.class)
        .single();
  }

  /** Gives the period back; does nothing if somebody else has it by now. */
  public void release(Lease lease) {
    jdbc.sql(
            """
            update period
            set lease_owner = null, lease_until = null
            where id = :id and fence = :fence
            """)
        .param("id", lease.period().value())
        .param("fence", lease.fence())
        .update();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
