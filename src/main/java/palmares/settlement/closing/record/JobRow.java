package palmares.settlement.closing.record;

import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.job.JobExecution;

/** What a row tells of a job; the times as PostgreSQL reads them. */
record JobRow(
    String created,
    @Nullable String started,
    @Nullable String ended,
    String status,
    String code,
    String message) {

  static JobRow of(JobExecution execution) {
    return new JobRow(
        execution.getCreateTime().toString(),
        StepRow.text(execution.getStartTime()),
        StepRow.text(execution.getEndTime()),
        execution.getStatus().name(),
        execution.getExitStatus().getExitCode(),
        execution.getExitStatus().getExitDescription());
  }
}
