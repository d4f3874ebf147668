package palmares.settlement.closing;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.settlement.manifest.Anchors;

/** Anchors what other processes have posted, and what could not be anchored before. */
@DisallowConcurrentExecution
class AnchorJob extends QuartzJobBean {
  private final Anchors anchors;

  AnchorJob(Anchors anchors) {
    this.anchors = anchors;
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    anchors.keep();
  }
}
