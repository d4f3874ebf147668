package palmares.closing;

import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The sweep, each minute and at the start of every scheduler. */
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
}
