package palmares.period;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The steps from state to state. Each is taken in the transaction of the work that it stands for,
 * by the holder of the lease, and checks the state that it leaves.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Transitions {
  private final JdbcClient jdbc;
  private final Clock clock;

  Transitions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** From open to sealed, fixing the population. */
  public void seal(Lease lease, Population population) {
    require(
        lease,
        PeriodState.OPEN,
        PeriodState.SEALED,
        jdbc.sql(
                """
                update period
                set state = 'sealed', sealed_at = :now, sealed_members = :members,
                  sealed_points = :points, sealed_events = :events
                where id = :id and fence = :fence and state = 'open'
                """)
            .param("now", now())
            .param("members", population.members())
            .param("points", population.points())
            .param("events", population.events())
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .update());
  }

  /**
   * Still sealed, to close with the population of a live board that was rebuilt. The figures of the
   * seal stay.
   */
  public void reseal(Lease lease, Population population) {
    require(
        lease,
        PeriodState.SEALED,
        PeriodState.SEALED,
        jdbc.sql(
                """
                update period
                set state = 'sealed', rebuilt_members = rebuilt.members,
                  rebuilt_points = rebuilt.points, rebuilt_events = rebuilt.events
                from (values (:members::bigint, :points::numeric, :events::bigint))
                  as made (members, points, events)
                left join lateral (select made.*) rebuilt
                  on (made.members, made.points, made.events) not in (
                    select sealed_members, sealed_points, sealed_events
                    from period where id = :id)
                where id = :id and fence = :fence and state = 'sealed'
                """)
            .param("members", population.members())
            .param("points", population.points())
            .param("events", population.events())
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .update());
  }

  /** From approved to settled: final and visible. Forgets earlier failures. */
  public void settle(Lease lease) {
    require(
        lease,
        PeriodState.APPROVED,
        PeriodState.SETTLED,
        jdbc.sql(
                """
                update period
                set state = 'settled', settled_at = :now, failure = null, retry_at = null
                where id = :id and fence = :fence and state = 'approved'
                """)
            .param("now", now())
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .update());
  }

  /** From settled to expired: its live keys are gone. */
  public void expire(Lease lease) {
    require(
        lease,
        PeriodState.SETTLED,
        PeriodState.EXPIRED,
        jdbc.sql(
                """
                update period
                set state = 'expired', expired_at = :now, expiry_failures = 0,
                  expiry_failure = null, expiry_retry_at = null
                where id = :id and fence = :fence and state = 'settled'
                """)
            .param("now", now())
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .update());
  }

  /** Another revision stands from now on. */
  public void amend(Lease lease, int revision) {
    int changed =
        jdbc.sql(
                """
                update period
                set revision = :revision
                where id = :id
                  and fence = :fence
                  and state in ('settled', 'expired')
                  and revision < :revision
                """)
            .param("revision", revision)
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .update();
    if (changed != 1) {
      throw new WrongState(
          "revision %d of period %s cannot stand: it is not settled, a later one stands, or lease"
                  .formatted(revision, lease.period())
              + " %d is over".formatted(lease.fence()));
    }
  }

  /** One of the steps between sealed and approved, which record nothing but themselves. */
  public void advance(Lease lease, PeriodState from, PeriodState to) {
    require(
        lease,
        from,
        to,
        jdbc.sql(
                """
                update period
                set state = :to, retry_at = null
                where id = :id and fence = :fence and state = :from
                """)
            .param("to", to.word())
            .param("id", lease.period().value())
            .param("fence", lease.fence())
            .param("from", from.word())
            .update());
  }

  private void require(Lease lease, PeriodState from, PeriodState to, int changed) {
    if (changed != 1) {
      throw new WrongState(
          "period %s cannot go from %s to %s: it is in another state, or lease %d is over"
              .formatted(lease.period(), from.word(), to.word(), lease.fence()));
    }
  }

  private OffsetDateTime now() {
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
