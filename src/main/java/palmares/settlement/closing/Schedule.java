package palmares.settlement.closing;

import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The sweep, each minute and at the start of every scheduler; and what may take long, in jobs of
 * their own, each of which finds a thread of its own: expiry, the night's verification, pruning.
 */
@Configuration(proxyBeanMethods = false)
class Schedule {

  @Bean
  JobDetail sweepJob() {
    return JobBuilder.newJob(SweepJob.class)
        .withIdentity("sweep")
        .withDescription("prepares periods, and closes what is due")
        .storeDurably()
        .requestRecovery()
        .build();
  }

  @Bean
  Trigger everyMinute(JobDetail sweepJob) {
    return TriggerBuilder.newTrigger()
        .withIdentity("every minute")
        .forJob(sweepJob)
        .withSchedule(
            SimpleScheduleBuilder.repeatMinutelyForever()
                .withMisfireHandlingInstructionNextWithRemainingCount())
        .build();
  }

  @Bean
  JobDetail expiryJob() {
    return apart(ExpiryJob.class, "expiry", "expires the live keys of what was settled long ago");
  }

  @Bean
  Trigger everyMinuteForExpiry(JobDetail expiryJob) {
    return every(1, expiryJob);
  }

  @Bean
  JobDetail nightJob() {
    return apart(
        NightlyVerificationJob.class,
        "night",
        "verifies once a night what was settled or amended lately");
  }

  /** So that a verification missed during downtime starts soon after start-up. */
  @Bean
  Trigger everyFiveMinutes(JobDetail nightJob) {
    return every(5, nightJob);
  }

  @Bean
  JobDetail pruningJob() {
    return apart(PruningJob.class, "pruning", "deletes old records of runs and facts");
  }

  @Bean
  Trigger everyHour(JobDetail pruningJob) {
    return every(60, pruningJob);
  }

  @Bean
  JobDetail anchorJob() {
    return apart(AnchorJob.class, "anchors", "copies the links of the chains out of the database");
  }

  @Bean
  Trigger everyMinuteForAnchors(JobDetail anchorJob) {
    return every(1, anchorJob);
  }

  private static JobDetail apart(Class<? extends Job> job, String name, String description) {
    return JobBuilder.newJob(job)
        .withIdentity(name)
        .withDescription(description)
        .storeDurably()
        .build();
  }

  private static Trigger every(int minutes, JobDetail job) {
    return TriggerBuilder.newTrigger()
        .withIdentity(job.getKey().getName() + " every " + minutes + " minutes")
        .forJob(job)
        .startAt(DateBuilder.futureDate(1, IntervalUnit.MINUTE))
        .withSchedule(
            SimpleScheduleBuilder.repeatMinutelyForever(minutes)
                .withMisfireHandlingInstructionNextWithRemainingCount())
        .build();
  }
}
