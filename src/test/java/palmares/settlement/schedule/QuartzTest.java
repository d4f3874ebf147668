package palmares.settlement.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
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
import org.quartz.Trigger;
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
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A real scheduler on its real tables: it only ever says 'look', and losing it loses nothing. */
@WorldTest
class QuartzTest {
  private static final JobKey SWEEP = JobKey.jobKey("sweep");
  private static final TriggerKey NEXT = TriggerKey.triggerKey("next closing");

  /** Far from the machine's own time, by which Quartz goes. */
  private static final Instant LATER = Instant.parse("2093-05-05T10:00:00Z");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
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
    loseTheTrigger();
  }

  @Test
  void aSweepPlansOneTriggerAtTheNextClosingOfAllBoards() throws Exception {
    world.boards(
        List.of(
            Contest.rules().text(),
            Contest.rules().with("grace: 20m").text(),
            Contest.rules().with("zone: Asia/Shanghai").text(),
            Contest.rules().with("zone: Asia/Shanghai").with("title: Another").text()));
    fire();
    Trigger planned = scheduler.getTrigger(NEXT);
    assertThat(planned.getStartTime()).isEqualTo(Date.from(Instant.parse("2093-05-05T16:10:00Z")));
    assertThat(planned.getJobKey()).isEqualTo(SWEEP);

    world.pass(Duration.ofHours(8));
    fire();
    assertThat(scheduler.getTrigger(NEXT).getStartTime())
        .isEqualTo(Date.from(Instant.parse("2093-05-06T00:10:00Z")));

    world.pass(Duration.ofDays(2));
    fire();
    assertThat(scheduler.getTrigger(NEXT).getStartTime())
        .isEqualTo(Date.from(Instant.parse("2093-05-08T00:10:00Z")));
    assertThat(scheduler.getTriggersOfJob(SWEEP))
        .extracting(trigger -> trigger.getKey().getName())
        .filteredOn(name -> !name.startsWith("MT_"))
        .containsExactlyInAnyOrder("every minute", "next closing");
  }

  @Test
  void aClosingWhoseTriggerWasLostIsFoundByTheSweep() throws Exception {
    Board board = world.board(Contest.rules());
    fire();
    world.take(Contest.facts());
    Period day = world.period(board, "2093-05-05");
    loseTheTrigger();
    assertThat(scheduler.checkExists(NEXT)).isFalse();

    world.due(day);
    fire();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> world.again(day).state() == PeriodState.SETTLED);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(scheduler.checkExists(NEXT)).isTrue();
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

  private void loseTheTrigger() {
    servers.unguarded(
        () -> {
          for (String table : new String[] {"qrtz_simple_triggers", "qrtz_triggers"}) {
            servers.sql("delete from " + table + " where trigger_name = 'next closing'");
          }
        });
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
