package palmares.settlement.closing.record;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.job.DefaultJobKeyGenerator;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameter;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the rows of Spring Batch's tables, each time by one statement. Commits do not wait for the
 * disk: a server that dies may lose the last rows, never the work that they describe.
 */
final class RecordRows {
  /** More than a closing has, so that one statement reserves the ids of all of its steps. */
  private static final int RESERVED_STEPS = 16;

  private static final String INSTANCE =
      """
      with lazily as materialized (select set_config('synchronous_commit', 'off', true))
      insert into batch_job_instance (job_instance_id, version, job_name, job_key)
      select nextval('batch_job_instance_seq'), 0, :job, :key from lazily
      on conflict (job_name, job_key) do update set version = batch_job_instance.version
      returning job_instance_id
      """;

  /** Marks executions failed that a process left without an end when it died or lost the lease. */
  private static final String BEGIN =
      """
      with lazily as materialized (
        select set_config('synchronous_commit', 'off', true)
      ), former as (
        select job_execution_id as id from batch_job_execution where job_instance_id = :instance
      ), failed_steps as (
        update batch_step_execution
        set status = 'FAILED', exit_code = 'FAILED', end_time = coalesce(end_time, localtimestamp),
          version = version + 1
        where job_execution_id in (select id from former)
          and (end_time is null or status not in ('COMPLETED', 'FAILED', 'STOPPED'))
      ), failed as (
        update batch_job_execution
        set status = 'FAILED', exit_code = 'FAILED', end_time = coalesce(end_time, localtimestamp),
          version = version + 1
        where job_execution_id in (select id from former)
          and (end_time is null or status not in ('COMPLETED', 'FAILED', 'STOPPED'))
      ), begun as (
        insert into batch_job_execution (
          job_execution_id, version, job_instance_id, create_time, status, exit_code, exit_message)
        select
          nextval('batch_job_execution_seq'), 0, :instance, localtimestamp, 'STARTING',
          'UNKNOWN', ''
        from lazily
        returning job_execution_id
      ), given as (
        insert into batch_job_execution_params (
          job_execution_id, parameter_name, parameter_type, parameter_value, identifying)
        select job_execution_id, name, type, value, identifying
        from begun
        cross join unnest(:names::text[], :types::text[], :values::text[], :identifying::text[])
          as parameter (name, type, value, identifying)
      )
      select
        job_execution_id as execution,
        array(
          select nextval('batch_step_execution_seq') from generate_series(1, :steps)) as steps
      from begun
      """;

  private static final String RESERVE =
      "select nextval('batch_step_execution_seq') from generate_series(1, :steps)";

  /**
   * Leaves rows alone that have ended: another process may have ended them. Between its start and
   * its end, nothing of a job changes.
   */
  private static final String WRITE =
      """
      with lazily as materialized (
        select set_config('synchronous_commit', 'off', true)
      ), job as (
        update batch_job_execution
        set version = version + 1,
          create_time = given.created,
          start_time = given.started,
          end_time = given.ended,
          status = given.status,
          exit_code = given.code,
          exit_message = left(given.message, 2500),
          last_updated = coalesce(given.ended, given.started)
        from lazily, jsonb_to_record(:job::jsonb) as given (
          created timestamp, started timestamp, ended timestamp, status text, code text,
          message text)
        where job_execution_id = :execution and end_time is null
          and (start_time is null or given.ended is not null)
      )
      insert into batch_step_execution (
        step_execution_id, version, step_name, job_execution_id, create_time, start_time, end_time,
        status, exit_code, exit_message, last_updated, commit_count, rollback_count, read_count,
        write_count, filter_count, read_skip_count, write_skip_count, process_skip_count)
      select
        id, 0, name, :execution, created, started, ended,
        status, code, left(message, 2500), coalesce(ended, started), commits, rollbacks, read,
        written, 0, 0, 0, 0
      from lazily, jsonb_to_recordset(:steps::jsonb) as given (
        id bigint, name text, created timestamp, started timestamp, ended timestamp, status text,
        code text, message text, commits bigint, rollbacks bigint, read bigint, written bigint)
      on conflict (step_execution_id) do update
      set version = batch_step_execution.version + 1,
        end_time = excluded.end_time,
        status = excluded.status,
        exit_code = excluded.exit_code,
        exit_message = excluded.exit_message,
        last_updated = excluded.last_updated,
        commit_count = excluded.commit_count,
        rollback_count = excluded.rollback_count,
        read_count = excluded.read_count,
        write_count = excluded.write_count
      where batch_step_execution.end_time is null
      """;

  private final JdbcClient jdbc;
  private final DefaultJobKeyGenerator keys = new DefaultJobKeyGenerator();

  RecordRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The ids of a new execution and of its coming steps. */
  record Reserved(long execution, List<Long> steps) {}

  /** Returns the id of an instance, and inserts it if it is missing. */
  long findOrInsertInstance(String job, JobParameters parameters) {
    return jdbc.sql(INSTANCE)
        .param("job", job)
        .param("key", keys.generateKey(parameters))
        .query(Long.class)
        .single();
  }

  Reserved begin(JobInstance instance, JobParameters parameters) {
    List<JobParameter<?>> all = List.copyOf(parameters.parameters());
    return jdbc.sql(BEGIN)
        .param("instance", instance.getId())
        .param("names", all.stream().map(JobParameter::name).toArray(String[]::new))
        .param("types", all.stream().map(one -> one.type().getName()).toArray(String[]::new))
        .param("values", all.stream().map(one -> one.value() + "").toArray(String[]::new))
        .param(
            "identifying",
            all.stream().map(one -> one.identifying() ? "Y" : "N").toArray(String[]::new))
        .param("steps", RESERVED_STEPS)
        .query((row, n) -> new Reserved(row.getLong("execution"), longs(row, "steps")))
        .single();
  }

  /** Reserves the ids of further steps. */
  List<Long> reserve() {
    return jdbc.sql(RESERVE).param("steps", RESERVED_STEPS).query(Long.class).list();
  }

  private static List<Long> longs(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return List.of((Long[]) array.getArray());
  }

  /** Writes the state of the execution, and of these steps. */
  void write(JobExecution execution, List<StepExecution> steps) {
    jdbc.sql(WRITE)
        .param("execution", execution.getId())
        .param("job", json(JobRow.of(execution)))
        .param("steps", json(steps.stream().map(StepRow::of).toList()))
        .update();
  }

  private static String json(Object value) {
    return JsonMapper.shared().writeValueAsString(value);
  }

  /** The columns of an execution; times are text that PostgreSQL reads. */
  private record JobRow(
      String created,
      @Nullable String started,
      @Nullable String ended,
      String status,
      String code,
      String message) {

    static JobRow of(JobExecution execution) {
      return new JobRow(
          execution.getCreateTime().toString(),
          text(execution.getStartTime()),
          text(execution.getEndTime()),
          execution.getStatus().name(),
          execution.getExitStatus().getExitCode(),
          execution.getExitStatus().getExitDescription());
    }
  }

  /** The columns of a step; times are text that PostgreSQL reads. */
  private record StepRow(
      long id,
      String name,
      String created,
      @Nullable String started,
      @Nullable String ended,
      String status,
      String code,
      String message,
      long commits,
      long rollbacks,
      long read,
      long written) {

    static StepRow of(StepExecution step) {
      return new StepRow(
          step.getId(),
          step.getStepName(),
          step.getCreateTime().toString(),
          text(step.getStartTime()),
          text(step.getEndTime()),
          step.getStatus().name(),
          step.getExitStatus().getExitCode(),
          step.getExitStatus().getExitDescription(),
          step.getCommitCount(),
          step.getRollbackCount(),
          step.getReadCount(),
          step.getWriteCount());
    }
  }

  private static @Nullable String text(@Nullable LocalDateTime time) {
    return time == null ? null : time.toString();
  }
}
