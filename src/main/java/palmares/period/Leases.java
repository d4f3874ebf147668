package palmares.period;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * Takes, renews and releases leases on periods. A period has one holder at a time. Every lease has
 * a higher fencing number than the one before it.
 */
@Component
public class Leases {
  /** If a lease is not renewed for this time, another process can take the period. */
  static final Duration LEASE_DURATION = Duration.ofSeconds(20);

  /** Skips a renewal if the last one is more recent. */
  private static final Duration MIN_RENEWAL_INTERVAL = Duration.ofSeconds(5);

  private static final String TAKE =
      """
      with free as (
        select id as free_id from period
        where id = :id and (lease_until is null or lease_until <= :now)
        for no key update skip locked
      )
      update period
      set lease_owner = :owner, lease_until = :until, fence = fence + 1
      from free
      where id = free_id
      returning id as period, fence, lease_owner as owner,
      """
          + Periods.ROW;

  private static final String RELEASE =
      """
      update period
      set lease_owner = null, lease_until = null
      where id = :id and fence = :fence
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  Leases(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Takes a lease if the period has none, or its lease has expired; otherwise returns empty. A row
   * that the holder has locked is skipped, so that a long transaction never loses its lease. The
   * locks of transactions that commit events do not count.
   */
  public Optional<Lease> take(PeriodId period, String owner) {
    return takeAndRead(period, owner).map(Leased::lease);
  }

  /**
   * A lease, and its period as it was when the lease was taken.
   *
   * @param period nobody else changes what closings read of it
   */
  public record Leased(Lease lease, Period period) {}

  /** As {@link #take(PeriodId, String)}, and reads the period. */
  public Optional<Leased> takeAndRead(PeriodId period, String owner) {
    Instant now = clock.instant();
    return jdbc.sql(TAKE)
        .param("id", period)
        .param("owner", owner)
        .param("now", now)
        .param("until", now.plus(LEASE_DURATION))
        .query(Leased.class)
        .optional();
  }

  /**
   * As {@link #take(PeriodId, String)}, if a condition holds.
   *
   * @param condition runs in the transaction that takes the lease, and throws if it does not hold;
   *     what it locks stays locked until then
   */
  @Transactional
  public Optional<Lease> take(PeriodId period, String owner, Runnable condition) {
    condition.run();
    return take(period, owner);
  }

  /**
   * Renews the lease and locks the row, so that no other process can take the period before the
   * transaction ends. Must be the first call in every step's transaction: the database rejects
   * changes to lines and payments in others.
   *
   * @throws StaleLease if the lease is lost
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void hold(Lease lease) {
    hold(lease, "force_custom_plan");
  }

  /**
   * As {@link #hold}, and PostgreSQL keeps the plans of statements until the transaction ends. A
   * kept plan for {@code line} or {@code payment} locks the tables of every outcome, so statements
   * must name the table of their outcome.
   *
   * @throws StaleLease if the lease is lost
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void holdAndKeepPlans(Lease lease) {
    hold(lease, "auto");
  }

  private void hold(Lease lease, String plans) {
    boolean lost =
        jdbc.sql(
                """
                with held as (
                  update period
                  set lease_until = :until
                  where id = :id and fence = :fence and lease_owner is not null
                  returning fence
                )
                select
                  set_config('palmares.fence', fence::text, true),
                  set_config('plan_cache_mode', :plans, true)
                from held
                """)
            .param("until", clock.instant().plus(LEASE_DURATION))
            .param("id", lease.period())
            .param("fence", lease.fence())
            .param("plans", plans)
            .query()
            .listOfRows()
            .isEmpty();
    if (lost) {
      throw new StaleLease(lease);
    }
  }

  /**
   * Prevents other processes from taking the period before the transaction ends. Unlike {@link
   * #hold}, several transactions of the same holder can do so at the same time.
   *
   * @throws StaleLease if the lease is lost
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
            .param("id", lease.period())
            .param("fence", lease.fence())
            .query(Long.class)
            .optional()
            .isPresent();
    if (!shared) {
      throw new StaleLease(lease);
    }
  }

  /**
   * Renews the lease, unless it was renewed less than 5 seconds ago. A renewal waits for the
   * transactions that {@link #share} the lease, and later ones wait for it.
   *
   * @throws StaleLease if the lease is lost
   */
  public void renew(Lease lease) {
    Instant now = clock.instant();
    boolean recent =
        jdbc.sql(
                """
                select lease_until > :ends_by from period
                where id = :id and fence = :fence and lease_owner is not null
                """)
            .param("ends_by", now.plus(LEASE_DURATION).minus(MIN_RENEWAL_INTERVAL))
            .param("id", lease.period())
            .param("fence", lease.fence())
            .query(Boolean.class)
            .optional()
            .orElseThrow(() -> new StaleLease(lease));
    if (!recent && !extend(lease, now)) {
      throw new StaleLease(lease);
    }
  }

  private boolean extend(Lease lease, Instant now) {
    return jdbc.sql(
                """
                update period
                set lease_until = :until
                where id = :id and fence = :fence and lease_owner is not null
                """)
            .param("until", now.plus(LEASE_DURATION))
            .param("id", lease.period())
            .param("fence", lease.fence())
            .update()
        == 1;
  }

  /** Whether the lease is still the period's current one. */
  public boolean holds(Lease lease) {
    return jdbc.sql(
            """
            select exists (
              select from period where id = :id and fence = :fence and lease_owner is not null)
            """)
        .param("id", lease.period())
        .param("fence", lease.fence())
        .query(Boolean.class)
        .single();
  }

  /** Releases the lease; does nothing if it is lost. */
  public void release(Lease lease) {
    release(lease, RELEASE);
  }

  /**
   * As {@link #release}, without waiting for the disk: a server that dies at once may forget the
   * release, and then the lease expires. Must not be called in a transaction, whose other changes
   * would not wait either.
   */
  @Transactional(propagation = Propagation.NEVER)
  public void releaseLazily(Lease lease) {
    release(
        lease,
        """
        with lazily as materialized (select set_config('synchronous_commit', 'off', true))
        """
            + RELEASE
            + "and exists (select from lazily)");
  }

  private void release(Lease lease, String sql) {
    jdbc.sql(sql).param("id", lease.period()).param("fence", lease.fence()).update();
  }

  /** Reports that a lease was lost to another process. The work under it must stop. */
  public static final class StaleLease extends Refusal {
    StaleLease(Lease lease) {
      super(
          Problem.PERIOD_BUSY,
          new PeriodSentences.LeaseLost(lease.fence(), lease.period().value()));
    }
  }
}
