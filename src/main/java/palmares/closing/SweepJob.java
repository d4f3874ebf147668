package palmares.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.background.Loop;
import palmares.background.Loops;

/**
 * All that Quartz ever fires. It asks what is due and goes; which trigger fired, and when it should
 * have, says nothing.
 */
@DisallowConcurrentExecution
class SweepJob extends QuartzJobBean {
  private static final Duration BOUND = Duration.ofMinutes(5);

  private final Sweep sweep;
  private final Triggers triggers;
  private final Loop loop;

  SweepJob(Sweep sweep, Triggers triggers, Loops loops) {
    this.sweep = sweep;
    this.triggers = triggers;
    this.loop = loops.shared("sweep", BOUND);
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    loop.run(
        () -> {
          sweep.run();
          triggers.plan();
        });
  }
}
