package palmares.closing.record;

import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.job.JobExecution;

/** What a row tells of a job; the times as PostgreSQL reads them. */
record JobLine(
    String created,
    @Nullable String started,
    @Nullable String ended,
    String status,
    String code,
    String message) {

  static JobLine of(JobExecution execution) {
    return new JobLine(
        execution.getCreateTime().toString(),
        StepLine.text(execution.getStartTime()),
        StepLine.text(execution.getEndTime()),
        execution.getStatus().name(),
        execution.getExitStatus().getExitCode(),
        execution.getExitStatus().getExitDescription());
  }
}
