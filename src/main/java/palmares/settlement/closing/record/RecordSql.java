package palmares.settlement.closing.record;

/**
 * The statements of the record. Each first says, for its own transaction only, that its commit does
 * not wait for the disk.
 */
final class RecordSql {
  private RecordSql() {}

  static final String INSTANCE =
      """
      with lazily as materialized (select set_config('synchronous_commit', 'off', true))
      insert into batch_job_instance (job_instance_id, version, job_name, job_key)
      select nextval('batch_job_instance_seq'), 0, :job, :key from lazily
      on conflict (job_name, job_key) do update set version = batch_job_instance.version
      returning job_instance_id
      """;

  /** What has neither ended well nor failed was left by a dead or fenced owner. */
  static final String BEGIN =
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
      ), told as (
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

  static final String RESERVE =
      "select nextval('batch_step_execution_seq') from generate_series(1, :steps)";

  /** A row that has ended stays as it is: somebody else may have ended it. */
  static final String WRITE =
      """
      with lazily as materialized (
        select set_config('synchronous_commit', 'off', true)
      ), job as (
        update batch_job_execution
        set version = version + 1,
          create_time = told.created,
          start_time = told.started,
          end_time = told.ended,
          status = told.status,
          exit_code = told.code,
          exit_message = left(told.message, 2500),
          last_updated = coalesce(told.ended, told.started)
        from lazily, jsonb_to_record(:job::jsonb) as told (
          created timestamp, started timestamp, ended timestamp, status text, code text,
          message text)
        where job_execution_id = :execution and end_time is null
      )
      insert into batch_step_execution (
        step_execution_id, version, step_name, job_execution_id, create_time, start_time, end_time,
        status, exit_code, exit_message, last_updated, commit_count, rollback_count, read_count,
        write_count, filter_count, read_skip_count, write_skip_count, process_skip_count)
      select
        id, 0, name, :execution, created, started, ended,
        status, code, left(message, 2500), coalesce(ended, started), commits, rollbacks, read,
        written, 0, 0, 0, 0
      from lazily, jsonb_to_recordset(:steps::jsonb) as told (
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
}
