package palmares.settlement.closing;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Lease;
import palmares.platform.infra.WorkPermit;
import palmares.platform.infra.WorkPermit.WorkSuspended;
import palmares.platform.nodes.Nodes;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records every attempt to close a period. The record of its end does not wait for the disk: if the
 * server dies at once, the next attempt or sweep ends the run.
 */
@Component
class Runs {
  private static final int MAX_STACK_CHARACTERS = 30_000;
  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String PROGRESS =
      """
      insert into step_progress (
        run_id, n, step, slice, unit, started_at, ended_at, done, total, counted_at)
      select :run, n, step, slice, unit, started_at, ended_at, done, total, :now
      from rows from (
        json_to_recordset(:parts::json) as (
          step text, slice text, unit text, started_at timestamptz, ended_at timestamptz,
          done bigint, total bigint)
      ) with ordinality as part (step, slice, unit, started_at, ended_at, done, total, n)
      on conflict (run_id, n) do update
      set ended_at = coalesce(step_progress.ended_at, excluded.ended_at),
        unit = excluded.unit,
        done = greatest(step_progress.done, excluded.done),
        total = excluded.total,
        counted_at = greatest(step_progress.counted_at, excluded.counted_at)
      """;

  private static final String END =
      """
      lazily as materialized (select set_config('synchronous_commit', 'off', true))
      update run
      set outcome = :outcome, ended_at = :now, step = :step, failure = :failure::jsonb,
        stack = :stack
      from lazily
      where period_id = :period and fence = :fence and outcome = 'running'
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Nodes nodes;
  private final WorkPermit permit;

  Runs(JdbcClient jdbc, Clock clock, Nodes nodes, WorkPermit permit) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.nodes = nodes;
    this.permit = permit;
  }

  /**
   * Records that an attempt begins, and marks those of earlier lease holders abandoned.
   *
   * @throws WorkSuspended if this process must not close periods
   */
  RunProgress begin(Lease lease, String cause) {
    permit.requireNotSuspended();
    long run =
        jdbc.sql(
                """
                with former as (
                  update run
                  set outcome = 'abandoned', ended_at = :now,
                    failure = :ended::jsonb
                  where period_id = :period and outcome = 'running'
                )
                insert into run (period_id, fence, node, cause, started_at)
                values (:period, :fence, :node, :cause, :now)
                returning id
                """)
            .param("period", lease.period())
            .param("fence", lease.fence())
            .param("node", nodes.name())
            .param("cause", cause)
            .param("ended", Said.toJson(new ClosingSentences.ProcessEnded()))
            .param("now", clock.instant())
            .query(Long.class)
            .single();
    return RunProgress.of(run, clock);
  }

  /** The name of this process in its runs. */
  String node() {
    return nodes.name();
  }

  /** Removes the record of an attempt that has run no step. */
  void forget(Lease lease) {
    jdbc.sql("delete from run where period_id = :period and fence = :fence and outcome = 'running'")
        .param("period", lease.period())
        .param("fence", lease.fence())
        .update();
  }

  /** Stores what the steps of a run have done. Counts never go back. */
  void store(RunProgress progress) {
    if (progress.run() > 0 && !progress.parts().isEmpty()) {
      jdbc.sql(PROGRESS).params(parameters(progress)).update();
    }
  }

  private Map<String, Object> parameters(RunProgress progress) {
    var parts = new ArrayList<Map<String, @Nullable Object>>();
    for (RunProgress.Part part : progress.parts()) {
      var fields = new LinkedHashMap<String, @Nullable Object>();
      fields.put("step", part.name);
      fields.put("slice", part.slice);
      fields.put("unit", part.unit);
      fields.put("started_at", part.startedAt.toString());
      fields.put("ended_at", part.endedAt == null ? null : part.endedAt.toString());
      fields.put("done", part.done);
      fields.put("total", part.total);
      parts.add(fields);
    }
    return Map.of(
        "run", progress.run(), "now", clock.instant(), "parts", JSON.writeValueAsString(parts));
  }

  /** Records how an attempt ended, unless another process has marked it abandoned. */
  @Transactional(propagation = Propagation.NEVER)
  void end(Attempt attempt, String outcome, @Nullable Sentence failure) {
    end(attempt, outcome, failure, null);
  }

  /** Records that an attempt failed, with the stack, which the log does not show. */
  @Transactional(propagation = Propagation.NEVER)
  void fail(Attempt attempt, Sentence failure, Throwable reason) {
    var stack = new StringWriter();
    reason.printStackTrace(new PrintWriter(stack, true));
    String whole = stack.toString().replace("\0", "");
    String kept = whole.substring(0, Math.min(whole.length(), MAX_STACK_CHARACTERS));
    end(attempt, "failed", failure, kept);
  }

  /** Stores the progress in the same statement; that of a failed step does not end. */
  private void end(
      Attempt attempt, String outcome, @Nullable Sentence failure, @Nullable String stack) {
    RunProgress progress = attempt.progress();
    JdbcClient.StatementSpec update;
    if (progress.parts().isEmpty()) {
      update = jdbc.sql("with " + END);
    } else {
      if (!outcome.equals("failed")) {
        progress.endStep();
      }
      update = jdbc.sql("with progress as (" + PROGRESS + "), " + END).params(parameters(progress));
    }
    update
        .param("outcome", outcome)
        .param("now", clock.instant())
        .param("step", attempt.step())
        .param("failure", failure == null ? null : Said.toJson(failure))
        .param("stack", stack)
        .param("period", attempt.lease().period())
        .param("fence", attempt.lease().fence())
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
              and is_settled(period.state)
              and (period.lease_until is null or period.lease_until <= :now)
            """)
        .param("now", clock.instant())
        .update();
  }
}
