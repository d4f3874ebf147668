package palmares.settlement.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
import org.quartz.listeners.JobListenerSupport;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A real scheduler on its real tables: it only ever says 'look', and losing it loses nothing. */
@WorldTest
class QuartzTest {
  private static final JobKey SWEEP = JobKey.jobKey("sweep");

  /** Far from the machine's own time, by which Quartz goes. */
  private static final Instant LATER = Instant.parse("2093-05-05T10:00:00Z");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Scheduler scheduler;
  @Autowired private TransactionTemplate transaction;

  private final Swept swept = new Swept();

  @BeforeEach
  void start() throws SchedulerException {
    world.now(LATER);
    scheduler.getListenerManager().addJobListener(swept);
    scheduler.start();
  }

  @AfterEach
  void stop() throws SchedulerException {
    await().atMost(Duration.ofSeconds(20)).until(() -> duePeriods.due().isEmpty());
    scheduler.standby();
    scheduler.getListenerManager().removeJobListener(swept.getName());
  }

  @Test
  void aFiringClosesWhatIsDue() throws Exception {
    Board board = world.board(Contest.rules());
    fire();
    world.take(Contest.facts());
    Period day = world.period(board, "2093-05-05");
    world.due(day);
    fire();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> records.number("select count(*) from run where outcome = 'settled'") == 1);
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  @Test
  void theSweepIsPlannedForEachMinuteAndRecoversWhenANodeDies() throws Exception {
    JobDetail sweep = scheduler.getJobDetail(SWEEP);
    assertThat(sweep.requestsRecovery()).isTrue();
    assertThat(sweep.isConcurrentExecutionDisallowed()).isTrue();
    assertThat(scheduler.getTrigger(TriggerKey.triggerKey("every minute")).getJobKey())
        .isEqualTo(SWEEP);
    assertThat(scheduler.getMetaData().isJobStoreClustered()).isTrue();
  }

  /** Needs a transaction, since the lock of Quartz lasts as long as one. */
  private void fire() throws Exception {
    transaction.execute(
        status -> {
          try {
            scheduler.triggerJob(SWEEP);
            return SWEEP;
          } catch (SchedulerException e) {
            throw new IllegalStateException(e);
          }
        });
    swept.await();
  }

  /** Says when a sweep that the test asked for is over. */
  private static final class Swept extends JobListenerSupport {
    private final LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException e) {
      if (context.getTrigger().getKey().getName().startsWith("MT_")) {
        ends.offer(String.valueOf(e));
      }
    }

    void await() throws InterruptedException {
      assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo("null");
    }
  }
}
