package palmares.settlement.closing;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Lease;

/** Records every attempt to close a period. */
@Component
class Runs {
  private static final int MAX_STACK_CHARACTERS = 30_000;

  private final JdbcClient jdbc;
  private final Clock clock;

  Runs(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Records that an attempt begins, and marks those of earlier lease holders abandoned.
   *
   * @return the number of the run
   */
  long begin(Lease lease, String cause) {
    return jdbc.sql(
            """
            with former as (
              update run
              set outcome = 'abandoned', ended_at = :now,
                failure = 'its process died or lost its lease'
              where period_id = :period and outcome = 'running'
            )
            insert into run (period_id, fence, owner, cause, started_at)
            values (:period, :fence, :owner, :cause, :now)
            returning id
            """)
        .param("period", lease.period().value())
        .param("fence", lease.fence())
        .param("owner", lease.owner())
        .param("cause", cause)
        .param("now", now())
        .query(Long.class)
        .single();
  }

  /** Records how an attempt ended, unless another process has marked it abandoned. */
  void end(Lease lease, String outcome, @Nullable String step, @Nullable String failure) {
    end(lease, outcome, step, failure, null);
  }

  /** Records that an attempt failed, with the stack, which the log does not show. */
  void fail(Lease lease, @Nullable String step, String failure, Throwable reason) {
    var stack = new StringWriter();
    reason.printStackTrace(new PrintWriter(stack, true));
    String whole = stack.toString().replace("\0", "");
    String kept = whole.substring(0, Math.min(whole.length(), MAX_STACK_CHARACTERS));
    end(lease, "failed", step, failure, kept);
  }

  private void end(
      Lease lease,
      String outcome,
      @Nullable String step,
      @Nullable String failure,
      @Nullable String stack) {
    jdbc.sql(
            """
            update run
            set outcome = :outcome, ended_at = :now, step = :step, failure = :failure,
              stack = :stack
            where period_id = :period and fence = :fence and outcome = 'running'
            """)
        .param("outcome", outcome)
        .param("now", now())
        .param("step", step)
        .param("failure", failure)
        .param("stack", stack)
        .param("period", lease.period().value())
        .param("fence", lease.fence())
        .update();
  }

  /** Records the end of attempts that died after their period was settled. */
  void endSettled() {
    jdbc.sql(
            """
            update run
            set outcome = 'settled', ended_at = period.settled_at, step = 'pay'
            from period
            where period.id = run.period_id
              and run.outcome = 'running'
              and period.state in ('settled', 'expired')
              and (period.lease_until is null or period.lease_until <= :now)
            """)
        .param("now", now())
        .update();
  }

  private OffsetDateTime now() {
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
