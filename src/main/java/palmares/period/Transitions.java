package palmares.period;

import static palmares.period.PeriodState.APPROVED;
import static palmares.period.PeriodState.EXPIRED;
import static palmares.period.PeriodState.OPEN;
import static palmares.period.PeriodState.SEALED;
import static palmares.period.PeriodState.SETTLED;

import java.time.Clock;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Changes the state of periods. Each method must be called by the holder of the lease, in the
 * transaction of the work that the new state means.
 *
 * <p>Each method throws {@link WrongState} if the period is in another state than expected, or the
 * lease is lost. Those that return the period return it in its new state.
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

  /** Moves the period from open to sealed, and records its population. */
  public Period seal(Lease lease, Population population) {
    return change(
        lease,
        OPEN,
        SEALED,
        jdbc.sql(
                """
                update period
                set state = 'sealed', sealed_at = :now, sealed_members = :members,
                  sealed_points = :points, sealed_events = :events
                where id = :id and fence = :fence and state = 'open'
                returning
                """
                    + Periods.ROW)
            .param("now", clock.instant())
            .param("members", population.members())
            .param("points", population.points())
            .param("events", population.events()));
  }

  /**
   * Records the population of a rebuilt live board, under which the sealed period closes. The
   * population recorded at the seal is kept.
   */
  public void reseal(Lease lease, Population population) {
    change(
        lease,
        SEALED,
        SEALED,
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
                returning
                """
                    + Periods.ROW)
            .param("members", population.members())
            .param("points", population.points())
            .param("events", population.events()));
  }

  /**
   * Moves the period from approved to settled, and clears earlier failures.
   *
   * @param from approved, or the state that the same transaction approves it from
   */
  public Period settle(Lease lease, PeriodState from) {
    if (from != APPROVED) {
      require(from, APPROVED);
    }
    return change(
        lease,
        from,
        SETTLED,
        jdbc.sql(
                """
                update period
                set state = 'settled', settled_at = :now, failure = null, retry_at = null
                where id = :id and fence = :fence and state = :from
                returning
                """
                    + Periods.ROW)
            .param("from", from)
            .param("now", clock.instant()));
  }

  /** Moves the period from settled to expired, and clears earlier failures of its expiry. */
  public Period expire(Lease lease) {
    return change(
        lease,
        SETTLED,
        EXPIRED,
        jdbc.sql(
                """
                update period
                set state = 'expired', expired_at = :now, expiry_failures = 0,
                  expiry_failure = null, expiry_retry_at = null
                where id = :id and fence = :fence and state = 'settled'
                returning
                """
                    + Periods.ROW)
            .param("now", clock.instant()));
  }

  /**
   * Moves the period along a transition that records nothing but the new state. A held period
   * starts without earlier failures, since a person decides on what was computed.
   */
  public Period advance(Lease lease, PeriodState from, PeriodState to) {
    require(from, to);
    return change(
        lease,
        from,
        to,
        jdbc.sql(
                """
                update period
                set state = :to, retry_at = null,
                  failures = case when :to = 'held' then 0 else failures end,
                  failure = case when :to = 'held' then null else failure end
                where id = :id and fence = :fence and state = :from
                returning
                """
                    + Periods.ROW)
            .param("to", to)
            .param("from", from));
  }

  private static void require(PeriodState from, PeriodState to) {
    if (PeriodState.TRANSITIONS.stream().noneMatch(t -> t.from() == from && t.to() == to)) {
      throw new WrongState(new PeriodSentences.NoTransition(from, to));
    }
  }

  private static Period change(
      Lease lease, PeriodState from, PeriodState to, JdbcClient.StatementSpec update) {
    return update
        .param("id", lease.period())
        .param("fence", lease.fence())
        .query(Period.class)
        .optional()
        .orElseThrow(
            () ->
                new WrongState(
                    new PeriodSentences.NotInState(
                        lease.period().value(), from, to, lease.fence())));
  }

  /** Makes a later revision the current one of a settled period. */
  public void amend(Lease lease, int revision) {
    var update =
        jdbc.sql(
                """
                update period
                set revision = :revision
                where id = :id
                  and fence = :fence
                  and is_settled(state)
                  and revision < :revision
                """)
            .param("revision", revision);
    boolean changed =
        update.param("id", lease.period()).param("fence", lease.fence()).update() == 1;
    if (!changed) {
      throw new WrongState(
          new PeriodSentences.NotAmendable(lease.period().value(), revision, lease.fence()));
    }
  }
}
