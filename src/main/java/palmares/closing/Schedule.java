package palmares.closing;

import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The sweep, each minute and at the start of every scheduler; and the look at the night. */
@Configuration(proxyBeanMethods = false)
class Schedule {

  @Bean
  JobDetail sweepJob() {
    return JobBuilder.newJob(SweepJob.class)
        .withIdentity("sweep")
        .withDescription("prepares periods, closes what is due, expires old keys")
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
  JobDetail nightJob() {
    return JobBuilder.newJob(NightJob.class)
        .withIdentity("night")
        .withDescription("verifies once a night what was settled or amended lately")
        .storeDurably()
        .build();
  }

  /** So often, since a night that nobody was there for is made up soon after the start. */
  @Bean
  Trigger everyFiveMinutes(JobDetail nightJob) {
    return TriggerBuilder.newTrigger()
        .withIdentity("every five minutes")
        .forJob(nightJob)
        .startAt(DateBuilder.futureDate(1, IntervalUnit.MINUTE))
        .withSchedule(
            SimpleScheduleBuilder.repeatMinutelyForever(5)
                .withMisfireHandlingInstructionNextWithRemainingCount())
        .build();
  }
}
