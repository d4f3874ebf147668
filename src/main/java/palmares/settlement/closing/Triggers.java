package palmares.settlement.closing;

import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.SchedulingException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;

/**
 * A trigger at the next closing of all, so that nobody waits for the minute's sweep; the sweep that
 * it fires plans the one after. Should it get lost, the sweep closes the period all the same.
 */
@Component
class Triggers {
  private static final Logger LOG = LoggerFactory.getLogger(Triggers.class);
  private static final TriggerKey NEXT = TriggerKey.triggerKey("next closing");

  private final Scheduler scheduler;
  private final JobDetail sweep;
  private final DuePeriods duePeriods;
  private final TransactionTemplate transaction;

  Triggers(
      Scheduler scheduler,
      JobDetail sweepJob,
      DuePeriods duePeriods,
      TransactionTemplate transaction) {
    this.scheduler = scheduler;
    this.sweep = sweepJob;
    this.duePeriods = duePeriods;
    this.transaction = transaction;
  }

  void plan() {
    duePeriods.nextClose().ifPresent(this::plan);
  }

  private void plan(Instant at) {
    Trigger trigger =
        TriggerBuilder.newTrigger()
            .withIdentity(NEXT)
            .withDescription("closes what is due next")
            .forJob(sweep)
            .startAt(Date.from(at))
            .withSchedule(
                SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionFireNow())
            .build();
    try {
      transaction.executeWithoutResult(status -> plan(trigger));
    } catch (SchedulingException | TransactionException e) {
      LOG.warn("no trigger at {}; the minute's sweep closes what is due: {}", at, e.getMessage());
    }
  }

  /** Quartz's lock lasts as long as the transaction around it: without one, it locks nothing. */
  private void plan(Trigger trigger) {
    try {
      Optional<Trigger> planned = Optional.ofNullable(scheduler.getTrigger(NEXT));
      if (planned.isEmpty()) {
        scheduler.scheduleJob(trigger);
      } else if (!planned.get().getStartTime().equals(trigger.getStartTime())) {
        scheduler.rescheduleJob(NEXT, trigger);
      }
    } catch (SchedulerException e) {
      throw new SchedulingException(String.valueOf(e.getMessage()), e);
    }
  }
}
