package palmares.settlement.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.listeners.JobListenerSupport;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import palmares.testing.WorldTest;

/** On the application's scheduler and its real tables. */
@WorldTest
class RunningJobsTest {
  private static final long PATIENCE_SECONDS = 20;

  private static CountDownLatch begun = new CountDownLatch(1);
  private static CountDownLatch mayEnd = new CountDownLatch(1);
  private static final List<String> ENDED = new CopyOnWriteArrayList<>();

  @Autowired private Scheduler scheduler;
  @Autowired private RunningJobs jobs;
  @Autowired private SchedulerFactoryBean quartz;
  @Autowired private LettuceConnectionFactory redis;

  private final Vetoed vetoed = new Vetoed();
  private final JobDetail slow = JobBuilder.newJob(Slow.class).build();

  @BeforeEach
  void start() throws SchedulerException {
    begun = new CountDownLatch(1);
    mayEnd = new CountDownLatch(1);
    ENDED.clear();
    scheduler.getListenerManager().addJobListener(vetoed);
    scheduler.start();
  }

  @AfterEach
  void stop() throws SchedulerException {
    mayEnd.countDown();
    jobs.start();
    scheduler.standby();
    scheduler.getListenerManager().removeJobListener(vetoed.getName());
  }

  @Test
  void runningJobsEndBeforeTheConnectionsToRedisClose() throws Exception {
    fire();
    assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    var stopping =
        CompletableFuture.runAsync(
            () -> {
              jobs.stop();
              ENDED.add("the stop");
            });
    await().until(() -> !jobs.isRunning());
    mayEnd.countDown();
    stopping.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(ENDED).containsExactly("the job", "the stop");
    assertThat(jobs.getPhase()).isLessThan(quartz.getPhase()).isGreaterThan(redis.getPhase());
  }

  @Test
  void jobsFiredAfterTheStopDoNotBegin() throws Exception {
    jobs.stop();
    fire();
    assertThat(vetoed.seen.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(begun.getCount()).isOne();
  }

  private void fire() throws SchedulerException {
    scheduler.scheduleJob(slow, TriggerBuilder.newTrigger().startNow().build());
  }

  /** Ends when it may. */
  static final class Slow implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      begun.countDown();
      try {
        ENDED.add(mayEnd.await(PATIENCE_SECONDS, TimeUnit.SECONDS) ? "the job" : "its patience");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class Vetoed extends JobListenerSupport {
    private final CountDownLatch seen = new CountDownLatch(1);

    @Override
    public String getName() {
      return "vetoed";
    }

    @Override
    public void jobExecutionVetoed(JobExecutionContext context) {
      if (context.getJobDetail().getKey().equals(slow.getKey())) {
        seen.countDown();
      }
    }
  }
}
