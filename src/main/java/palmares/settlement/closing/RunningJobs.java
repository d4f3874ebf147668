package palmares.settlement.closing;

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
 * The jobs that Quartz has fired. Told to stop, Quartz fires no more, but waits for them only when
 * the connections to Redis are closed already: they are waited for here before that.
 */
@Component
class RunningJobs extends TriggerListenerSupport
    implements SmartLifecycle, SchedulerFactoryBeanCustomizer {
  private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);
  private static final int PATIENCE_SECONDS = 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition fewer = lock.newCondition();
  private boolean running = true;
  private int jobs;

  @Override
  public void customize(SchedulerFactoryBean scheduler) {
    scheduler.setGlobalTriggerListeners(this);
  }

  @Override
  public String getName() {
    return "jobs under way";
  }

  /** One that was fired, but has not begun when all is stopped, is left to the next that fires. */
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
      fewer.signalAll();
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

  /** Lets them end. */
  @Override
  public void stop() {
    lock.lock();
    try {
      running = false;
      long patience = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (jobs > 0 && patience > 0) {
        patience = fewer.awaitNanos(patience);
      }
      if (jobs > 0) {
        LOG.warn("{} jobs go on while the connections stop; what fires next finishes", jobs);
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

  /** Stops after Quartz fires, and before the connections to Redis do. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
