package palmares.operations.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.settlement.outbox.Outbox;

/**
 * Stores a fact for each period that is overdue, once. Every server does, in any role, so that it
 * is stored even if no scheduler runs.
 */
@Component
class OverduePeriods {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long FIRST_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  /**
   * The same periods as {@link PeriodSignals} reports as overdue. One that another process marks,
   * or that is being closed, is skipped. After an outage the rest follows in the next rounds.
   */
  private static final String MARK =
      """
      with overdue as (
        select period.id
        from period
        left join import_run on import_run.id = period.opened_by_import
        where settled_at is null
          and closes_at <= :overdue
          and overdue_at is null
          and not needs_person(state)
          and failures = 0
          and not exists (select from board_pause where board_pause.board = period.board)
          and (lease_until is null or lease_until < :now)
          and (import_run.id is null
            or import_run.ended_at is not null
            or import_run.heartbeat_at <= :now - interval '1 minute')
        order by closes_at, period.id
        limit 500
        for no key update of period skip locked
      )
      update period
      set overdue_at = :now
      from overdue
      where period.id = overdue.id
      returning board, name, closes_at, state
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Outbox outbox;
  private final Clock clock;
  private final SignalSettings settings;

  /** The first round is a minute after the start, so that a sweep can close what was missed. */
  private long reportedNanos = System.nanoTime() - INTERVAL_NANOS + FIRST_PAUSE_NANOS;

  OverduePeriods(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Outbox outbox,
      Clock clock,
      SignalSettings settings) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.outbox = outbox;
    this.clock = clock;
    this.settings = settings;
  }

  /** Reports every ten seconds while a server runs. */
  @Component
  static class OverdueLoop extends BackgroundLoop {
    OverdueLoop(Loops loops, SignalSettings settings, OverduePeriods periods) {
      super(loops, "overdue periods", settings.background(), goesOn -> periods.reportIfStale());
    }
  }

  private void reportIfStale() {
    if (System.nanoTime() - reportedNanos >= INTERVAL_NANOS) {
      report();
      reportedNanos = System.nanoTime();
    }
  }

  private record Overdue(String board, String name, Instant closesAt, String state) {}

  /** Stores the facts in the transaction that marks the periods. */
  void report() {
    transaction.executeWithoutResult(
        status ->
            mark()
                .forEach(
                    period ->
                        outbox.overdue(
                            period.board(), period.name(), period.closesAt(), period.state())));
  }

  private List<Overdue> mark() {
    Instant now = clock.instant();
    return jdbc.sql(MARK)
        .param("now", now)
        .param("overdue", now.minus(settings.overdueAfter()))
        .query(Overdue.class)
        .list();
  }
}
