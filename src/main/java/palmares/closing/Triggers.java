package palmares.closing;

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
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.catalogue.Catalogue;
import palmares.period.Agenda;

/**
 * A trigger for each board at its next closing, so that nobody waits for the minute's sweep. Should
 * one get lost, the sweep closes the period all the same.
 */
@Component
class Triggers {
  private static final Logger LOG = LoggerFactory.getLogger(Triggers.class);

  private final Scheduler scheduler;
  private final JobDetail sweep;
  private final Catalogue catalogue;
  private final Agenda agenda;

  Triggers(Scheduler scheduler, JobDetail sweepJob, Catalogue catalogue, Agenda agenda) {
    this.scheduler = scheduler;
    this.sweep = sweepJob;
    this.catalogue = catalogue;
    this.agenda = agenda;
  }

  void plan() {
    for (Board board : catalogue.all()) {
      agenda.nextClose(board).ifPresent(at -> plan(board, at));
    }
  }

  private void plan(Board board, Instant at) {
    var key = TriggerKey.triggerKey(board.id().value(), "next closing");
    Trigger trigger =
        TriggerBuilder.newTrigger()
            .withIdentity(key)
            .withDescription("closes the present period of " + board.id())
            .forJob(sweep)
            .startAt(Date.from(at))
            .withSchedule(
                SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionFireNow())
            .build();
    try {
      Optional<Trigger> planned = Optional.ofNullable(scheduler.getTrigger(key));
      if (planned.isEmpty()) {
        scheduler.scheduleJob(trigger);
      } else if (!planned.get().getStartTime().equals(trigger.getStartTime())) {
        scheduler.rescheduleJob(key, trigger);
      }
    } catch (SchedulerException e) {
      LOG.warn(
          "no trigger for board={}; the minute's sweep closes it: {}", board.id(), e.getMessage());
    }
  }
}
