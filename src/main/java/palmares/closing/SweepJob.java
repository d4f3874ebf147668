package palmares.closing;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;

/**
 * All that Quartz ever fires. It asks what is due and goes; which trigger fired, and when it should
 * have, says nothing.
 */
@DisallowConcurrentExecution
class SweepJob extends QuartzJobBean {
  private final Sweep sweep;
  private final Triggers triggers;

  SweepJob(Sweep sweep, Triggers triggers) {
    this.sweep = sweep;
    this.triggers = triggers;
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    sweep.run();
    triggers.plan();
  }
}
