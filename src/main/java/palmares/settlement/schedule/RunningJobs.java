package palmares.settlement.schedule;

import java.util.concurrent.TimeUnit;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.listeners.TriggerListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.quartz.autoconfigure.SchedulerFactoryBeanCustomizer;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.stereotype.Component;

/**
 * Counts the jobs that Quartz runs, and waits for them at a stop. Quartz itself waits for them only
 * after the connections to Redis are closed, which is too late.
 */
@Component
class RunningJobs extends TriggerListenerSupport
    implements SmartLifecycle, SchedulerFactoryBeanCustomizer {
  private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);
  private static final int SHUTDOWN_TIMEOUT_SECONDS = 20;

  private boolean running = true;
  private int jobs;

  @Override
  public void customize(SchedulerFactoryBean scheduler) {
    scheduler.setGlobalTriggerListeners(this);
  }

  @Override
  public String getName() {
    return "running jobs";
  }

  /** Vetoes jobs that begin after the stop; their next firing does the work. */
  @Override
  public synchronized boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
    if (running) {
      jobs++;
    }
    return !running;
  }

  @Override
  public synchronized void triggerComplete(
      Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction instruction) {
    jobs--;
    notifyAll();
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHUTDOWN_TIMEOUT_SECONDS);
    try {
      while (jobs > 0 && System.nanoTime() - deadline < 0) {
        TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
      }
      if (jobs > 0) {
        LOG.warn("{} jobs still run while connections close; their next firing resumes them", jobs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  /** Stops after Quartz has stopped firing, and before the connections to Redis close. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
