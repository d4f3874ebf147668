package palmares.settlement.closing;

import java.time.Duration;
import org.quartz.JobExecutionContext;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.platform.threads.Loop;
import palmares.platform.threads.Loops;

/** A job of Quartz as a loop: each firing is a round, in one of several processes. */
abstract class LoopJob extends QuartzJobBean {
  private final Loop loop;

  /**
   * @param name the loop's in log lines, metrics and health
   * @param bound how long it may fail or hang before health names it
   */
  LoopJob(Loops loops, String name, Duration bound) {
    this.loop = loops.shared(name, bound);
  }

  @Override
  protected final void executeInternal(JobExecutionContext context) {
    loop.run(this::round);
  }

  abstract void round();
}
