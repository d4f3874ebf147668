package palmares.closing;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;

/** Expires the settled periods whose retention has run out, apart from the sweep. */
@DisallowConcurrentExecution
class ExpiryJob extends QuartzJobBean {
  private final Retention retention;

  ExpiryJob(Retention retention) {
    this.retention = retention;
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    retention.expire();
  }
}
