package palmares.closing;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.nightly.Nights;

/** Asks every few minutes whether there is a night to verify; which one, the database knows. */
@DisallowConcurrentExecution
class NightJob extends QuartzJobBean {
  private static final Logger LOG = LoggerFactory.getLogger(NightJob.class);

  private final Nights nights;
  private final LateWrites lateWrites;

  NightJob(Nights nights, LateWrites lateWrites) {
    this.nights = nights;
    this.lateWrites = lateWrites;
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    try {
      nights.look().ifPresent(night -> lateWrites.watchAll());
    } catch (RuntimeException e) {
      LOG.error("the night is not verified yet, and is tried again in minutes: {}", e.getMessage());
    }
  }
}
