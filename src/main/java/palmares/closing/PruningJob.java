package palmares.closing;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.outbox.Deliveries;

/** Deletes old records of runs and facts, which nothing rests on any more. */
@DisallowConcurrentExecution
class PruningJob extends QuartzJobBean {
  private final Pruning pruning;
  private final Deliveries deliveries;

  PruningJob(Pruning pruning, Deliveries deliveries) {
    this.pruning = pruning;
    this.deliveries = deliveries;
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    pruning.prune();
    deliveries.prune();
  }
}
