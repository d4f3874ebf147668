package palmares.settlement.schedule;

import java.time.Duration;
import java.util.List;
import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.quartz.autoconfigure.SchedulerFactoryBeanCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.quartz.QuartzJobBean;
import palmares.live.member.Members;
import palmares.platform.infra.WorkPermit;
import palmares.platform.threads.Loop;
import palmares.platform.threads.Loops;
import palmares.settlement.closing.Expiry;
import palmares.settlement.closing.LateWriteCheck;
import palmares.settlement.closing.Pruning;
import palmares.settlement.closing.Sweep;
import palmares.settlement.dailydigest.Digest;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.outbox.Deliveries;

/**
 * Declares the jobs of Quartz and when they fire. A firing only asks what is due: a trigger that is
 * lost or late changes nothing but the time. Work that may take long has a job apart from the
 * sweep.
 */
@Configuration(proxyBeanMethods = false)
class Schedule {
  private static final JobKey SWEEP = JobKey.jobKey("sweep");

  private record Planned(JobDetail job, Trigger trigger) {}

  @Bean
  SchedulerFactoryBeanCustomizer plannedJobs() {
    List<Planned> all =
        List.of(
            sweep(),
            every(1, ExpiryJob.class, "expiry", "removes the live keys of periods past retention"),
            // Often, so that a verification missed during downtime starts soon after start-up.
            every(
                5,
                NightlyVerificationJob.class,
                "night",
                "verifies once a night what was settled or amended lately"),
            every(
                5,
                DigestJob.class,
                "digest",
                "reports once a day what closed and what needs attention"),
            every(
                60,
                PruningJob.class,
                "pruning",
                "deletes old records of runs and facts, and empty tables"),
            every(
                1,
                AnchorJob.class,
                "anchors",
                "copies the links of the chains out of the database"));
    return scheduler -> {
      scheduler.setJobDetails(all.stream().map(Planned::job).toArray(JobDetail[]::new));
      scheduler.setTriggers(all.stream().map(Planned::trigger).toArray(Trigger[]::new));
    };
  }

  /** Fires each minute, and when a scheduler starts. */
  private static Planned sweep() {
    return new Planned(
        JobBuilder.newJob(SweepJob.class)
            .withIdentity(SWEEP)
            .withDescription("prepares periods, and closes what is due")
            .storeDurably()
            .requestRecovery()
            .build(),
        TriggerBuilder.newTrigger()
            .withIdentity("every minute")
            .forJob(SWEEP)
            .withSchedule(
                SimpleScheduleBuilder.repeatMinutelyForever()
                    .withMisfireHandlingInstructionNextWithRemainingCount())
            .build());
  }

  private static Planned every(
      int minutes, Class<? extends Job> type, String name, String description) {
    return new Planned(
        JobBuilder.newJob(type)
            .withIdentity(name)
            .withDescription(description)
            .storeDurably()
            .build(),
        TriggerBuilder.newTrigger()
            .withIdentity(name + " every " + minutes + " minutes")
            .forJob(name)
            .startAt(DateBuilder.futureDate(1, IntervalUnit.MINUTE))
            .withSchedule(
                SimpleScheduleBuilder.repeatMinutelyForever(minutes)
                    .withMisfireHandlingInstructionNextWithRemainingCount())
            .build());
  }

  /** Runs a job of Quartz as a loop: each firing is a round, in one of several processes. */
  private abstract static class LoopJob extends QuartzJobBean {
    private final Loop loop;
    private final Runnable round;

    /**
     * @param name the loop's name in logs, metrics and health
     * @param bound how long the loop may fail or hang before health reports it
     */
    LoopJob(WorkPermit permit, Loops loops, String name, Duration bound, Runnable round) {
      this.loop = loops.shared(name, bound);
      this.round =
          () -> {
            permit.requireNotSuspended();
            round.run();
          };
    }

    @Override
    protected final void executeInternal(JobExecutionContext context) {
      loop.run(round);
    }
  }

  /** Runs the sweep. */
  @DisallowConcurrentExecution
  static final class SweepJob extends LoopJob {
    SweepJob(Sweep sweep, WorkPermit permit, Loops loops) {
      super(permit, loops, "sweep", Duration.ofMinutes(5), sweep::run);
    }
  }

  /** Expires the settled periods whose retention is over. */
  @DisallowConcurrentExecution
  static final class ExpiryJob extends LoopJob {
    ExpiryJob(Expiry expiry, WorkPermit permit, Loops loops) {
      super(permit, loops, "expiry", Duration.ofHours(6), expiry::expire);
    }
  }

  /** Verifies the last night, unless a process has done so. */
  @DisallowConcurrentExecution
  static final class NightlyVerificationJob extends LoopJob {
    NightlyVerificationJob(
        NightlyVerification nightly, LateWriteCheck lateWrites, WorkPermit permit, Loops loops) {
      super(
          permit,
          loops,
          "nightly verification",
          Duration.ofHours(6),
          () -> nightly.verifyIfDue().ifPresent(night -> lateWrites.checkAll()));
    }
  }

  /** Reports the last day, unless a process has done so. */
  @DisallowConcurrentExecution
  static final class DigestJob extends LoopJob {
    DigestJob(Digest digest, WorkPermit permit, Loops loops) {
      super(permit, loops, "digest", Duration.ofHours(6), digest::writeIfDue);
    }
  }

  /**
   * Deletes old records of runs, facts and forgotten members, and drops empty tables of restarted
   * closings.
   */
  @DisallowConcurrentExecution
  static final class PruningJob extends LoopJob {
    PruningJob(
        Pruning pruning, Deliveries deliveries, Members members, WorkPermit permit, Loops loops) {
      super(
          permit,
          loops,
          "pruning",
          Duration.ofHours(25),
          () -> {
            pruning.prune();
            deliveries.prune();
            members.prune();
          });
    }
  }

  /**
   * Anchors what commands of other processes have posted, and what could not be anchored before.
   */
  @DisallowConcurrentExecution
  static final class AnchorJob extends QuartzJobBean {
    private final Anchors anchors;

    AnchorJob(Anchors anchors) {
      this.anchors = anchors;
    }

    @Override
    protected void executeInternal(JobExecutionContext context) {
      anchors.keep();
    }
  }
}
