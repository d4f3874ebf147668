package palmares.settlement.closing.springbatch;

import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.job.DefaultJobKeyGenerator;
import org.springframework.batch.core.job.JobExecution;
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
  /**
   * Inserts the instance if it is missing, and marks executions failed that a process left without
   * an end when it died or lost the lease.
   */
  private static final String BEGIN =
      """
      with lazily as materialized (
        select set_config('synchronous_commit', 'off', true)
      ), instance as (
        insert into batch_job_instance (job_instance_id, version, job_name, job_key)
        select nextval('batch_job_instance_seq'), 0, :job, :key from lazily
        on conflict (job_name, job_key) do update set version = batch_job_instance.version
        returning job_instance_id as id
      ), former as (
        select job_execution_id as id
        from instance
        join batch_job_execution on job_instance_id = instance.id
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
          nextval('batch_job_execution_seq'), 0, id, localtimestamp, 'STARTED', 'UNKNOWN', ''
        from instance
        returning job_execution_id, job_instance_id
      ), given as (
        insert into batch_job_execution_params (
          job_execution_id, parameter_name, parameter_type, parameter_value, identifying)
        select job_execution_id, name, type, value, identifying
        from begun
        cross join unnest(:names::text[], :types::text[], :values::text[], :identifying::text[])
          as parameter (name, type, value, identifying)
      )
      select job_instance_id as instance, job_execution_id as execution from begun
      """;

  /** Leaves an execution alone that has ended: another process may have ended it. */
  private static final String END =
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
          last_updated = given.ended
        from lazily, jsonb_to_record(:job::jsonb) as given (
          created timestamp, started timestamp, ended timestamp, status text, code text,
          message text)
        where job_execution_id = :execution and end_time is null
        returning job_execution_id as id
      )
      insert into batch_step_execution (
        step_execution_id, version, step_name, job_execution_id, create_time, start_time, end_time,
        status, exit_code, exit_message, last_updated, commit_count, rollback_count, read_count,
        write_count, filter_count, read_skip_count, write_skip_count, process_skip_count)
      select
        nextval('batch_step_execution_seq'), 0, name, job.id, created, started, ended,
        status, code, left(message, 2500), coalesce(ended, started), commits, rollbacks, read,
        written, 0, 0, 0, 0
      from job, jsonb_to_recordset(:steps::jsonb) as given (
        name text, created timestamp, started timestamp, ended timestamp, status text,
        code text, message text, commits bigint, rollbacks bigint, read bigint, written bigint)
      """;

  private final JdbcClient jdbc;
  private final DefaultJobKeyGenerator keys = new DefaultJobKeyGenerator();

  RecordRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The ids of an execution that has begun, and of its instance. */
  record Begun(long instance, long execution) {}

  Begun begin(String job, JobParameters parameters) {
    List<JobParameter<?>> all = List.copyOf(parameters.parameters());
    return jdbc.sql(BEGIN)
        .param("job", job)
        .param("key", keys.generateKey(parameters))
        .param("names", all.stream().map(JobParameter::name).toArray(String[]::new))
        .param("types", all.stream().map(one -> one.type().getName()).toArray(String[]::new))
        .param("values", all.stream().map(one -> one.value() + "").toArray(String[]::new))
        .param(
            "identifying",
            all.stream().map(one -> one.identifying() ? "Y" : "N").toArray(String[]::new))
        .query((row, n) -> new Begun(row.getLong("instance"), row.getLong("execution")))
        .single();
  }

  /** Writes the end of the execution, and its steps in the order in which they began. */
  void end(JobExecution execution) {
    jdbc.sql(END)
        .param("execution", execution.getId())
        .param("job", json(JobRow.of(execution)))
        .param(
            "steps",
            json(
                execution.getStepExecutions().stream()
                    .sorted(Comparator.comparing(StepExecution::getId))
                    .map(StepRow::of)
                    .toList()))
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
