package palmares.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.background.Loop;
import palmares.background.Loops;
import palmares.nightly.Nights;

/** Asks every few minutes whether there is a night to verify; which one, the database knows. */
@DisallowConcurrentExecution
class NightJob extends QuartzJobBean {
  private static final Duration BOUND = Duration.ofHours(6);

  private final Nights nights;
  private final LateWrites lateWrites;
  private final Loop loop;

  NightJob(Nights nights, LateWrites lateWrites, Loops loops) {
    this.nights = nights;
    this.lateWrites = lateWrites;
    this.loop = loops.shared("nightly verification", BOUND);
  }

  @Override
  protected void executeInternal(JobExecutionContext context) {
    loop.run(() -> nights.look().ifPresent(night -> lateWrites.watchAll()));
  }
}
