package palmares.settlement.schedule;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition jobEnded = lock.newCondition();
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
  public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
    lock.lock();
    try {
      if (running) {
        jobs++;
      }
      return !running;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void triggerComplete(
      Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction instruction) {
    lock.lock();
    try {
      jobs--;
      jobEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void start() {
    lock.lock();
    try {
      running = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the running jobs have ended. */
  @Override
  public void stop() {
    lock.lock();
    try {
      running = false;
      long remaining = TimeUnit.SECONDS.toNanos(SHUTDOWN_TIMEOUT_SECONDS);
      while (jobs > 0 && remaining > 0) {
        remaining = jobEnded.awaitNanos(remaining);
      }
      if (jobs > 0) {
        LOG.warn("{} jobs still run while connections close; their next firing resumes them", jobs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isRunning() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Stops after Quartz has stopped firing, and before the connections to Redis close. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
