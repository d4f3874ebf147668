package palmares.settlement.closing.record;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.step.StepExecution;

/** What a row tells of a step; the times as PostgreSQL reads them. */
record StepRow(
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

  static @Nullable String text(@Nullable LocalDateTime time) {
    return time == null ? null : time.toString();
  }
}
