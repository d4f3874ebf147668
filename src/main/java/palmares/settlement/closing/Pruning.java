package palmares.settlement.closing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Setting;

/**
 * Deletes the run records, ours and those of Spring Batch, of periods that were settled long ago,
 * and drops the empty tables that restarted closings have left. Periods that are not settled keep
 * all of their records.
 */
@Component
@EnableConfigurationProperties(Pruning.Settings.class)
public class Pruning {
  private static final Logger LOG = LoggerFactory.getLogger(Pruning.class);

  /** Bounds how long a statement holds its locks. */
  static final int MAX_ROWS_PER_STATEMENT = 1_000;

  private static final String RUNS =
      """
      delete from run
      where id in (
        select run.id
        from run
        join period on period.id = run.period_id
        where run.ended_at < :before
          and is_settled(period.state)
          and period.settled_at < :before
        order by run.id
        limit :slice)
      """;

  /** Deletes all rows of a job in one statement, so that its foreign keys hold at the end. */
  private static final String JOBS =
      """
      with job as materialized (
        select distinct execution.job_instance_id as id
        from batch_job_execution execution
        join batch_job_execution_params parameter using (job_execution_id)
        join period on period.id::text = parameter.parameter_value
        where parameter.parameter_name = 'period'
          and is_settled(period.state)
          and period.settled_at < :before
        limit :slice
      ), execution as materialized (
        select job_execution_id as id
        from batch_job_execution
        join job on job.id = job_instance_id
      ), step as materialized (
        select step_execution_id as id
        from batch_step_execution
        join execution on execution.id = job_execution_id
      ), step_contexts as (
        delete from batch_step_execution_context using step where step_execution_id = step.id
      ), steps as (
        delete from batch_step_execution using step where step_execution_id = step.id
      ), contexts as (
        delete from batch_job_execution_context using execution
        where job_execution_id = execution.id
      ), parameters as (
        delete from batch_job_execution_params using execution
        where job_execution_id = execution.id
      ), executions as (
        delete from batch_job_execution using execution where job_execution_id = execution.id
      )
      delete from batch_job_instance using job where job_instance_id = job.id
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Settings settings;

  Pruning(JdbcClient jdbc, Clock clock, Settings settings) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Configures the pruning.
   *
   * @param keep how long after a period was settled its runs are kept; at least a day
   */
  @ConfigurationProperties("palmares.runs")
  record Settings(@DefaultValue("90d") Duration keep) {
    Settings {
      new Setting("palmares.runs.keep").requireAtLeast(Duration.ofDays(1), keep);
    }
  }

  /**
   * Deletes old records in slices, each in its own transaction. Drops tables, each in its own; one
   * that somebody reads is left to the next pruning, and one that has rows stays.
   */
  public void prune() {
    long runs = prune(RUNS);
    long jobs = prune(JOBS);
    if (runs + jobs > 0) {
      LOG.info("pruned runs={} jobs={} of periods settled {} ago", runs, jobs, settings.keep());
    }
    dropEmptyTables();
  }

  private void dropEmptyTables() {
    var found =
        jdbc.sql("select own, is_empty from tables_of_no_outcome()")
            .query(TableOfNoOutcome.class)
            .list();
    for (TableOfNoOutcome table : found) {
      if (!table.isEmpty()) {
        LOG.error(
            "table {} of an outcome that does not exist has rows and is kept: '{}' names it",
            table.own(),
            Commands.of(Next.of("verify")));
      } else if (drop(table)) {
        LOG.info("dropped the empty table {} of a restarted closing", table.own());
      } else {
        LOG.warn(
            "the empty table {} of a restarted closing is in use, and is dropped at the next"
                + " pruning",
            table.own());
      }
    }
  }

  private record TableOfNoOutcome(String own, boolean isEmpty) {}

  private boolean drop(TableOfNoOutcome table) {
    return jdbc.sql("select drop_empty_table(:own)")
        .param("own", table.own())
        .query(Boolean.class)
        .single();
  }

  private long prune(String sql) {
    Instant before = clock.instant().minus(settings.keep());
    long total = 0;
    int deleted;
    do {
      deleted =
          jdbc.sql(sql).param("before", before).param("slice", MAX_ROWS_PER_STATEMENT).update();
      total += deleted;
    } while (deleted == MAX_ROWS_PER_STATEMENT);
    return total;
  }
}
