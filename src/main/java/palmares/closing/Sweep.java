package palmares.closing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import palmares.background.Loops;
import palmares.background.Outages;
import palmares.board.Board;
import palmares.catalogue.Catalogue;
import palmares.live.LiveExclusions;
import palmares.live.LiveStarts;
import palmares.live.LiveUnavailable;
import palmares.period.Agenda;
import palmares.period.PeriodId;
import palmares.period.Timeline;

/**
 * Finds what there is to do by the clock of the database, whatever was missed: makes the rows of
 * coming periods and closes what is due. Old live keys go by a job of their own, so that their
 * verification delays no closing.
 */
@Component
public class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Catalogue catalogue;
  private final Agenda agenda;
  private final Timeline timeline;
  private final Lookout lookout;
  private final ClosingQueue queue;
  private final Retention retention;
  private final Runs runs;
  private final LiveStarts starts;
  private final LiveExclusions exclusions;
  private final LateWrites lateWrites;
  private final Outages outages;

  Sweep(
      Catalogue catalogue,
      Agenda agenda,
      Timeline timeline,
      Lookout lookout,
      ClosingQueue queue,
      Retention retention,
      Runs runs,
      LiveStarts starts,
      LiveExclusions exclusions,
      LateWrites lateWrites,
      Loops loops) {
    this.outages = loops.outages();
    this.catalogue = catalogue;
    this.agenda = agenda;
    this.timeline = timeline;
    this.lookout = lookout;
    this.queue = queue;
    this.retention = retention;
    this.runs = runs;
    this.starts = starts;
    this.exclusions = exclusions;
    this.lateWrites = lateWrites;
  }

  /**
   * Makes the rows of present and coming periods, looks at the keys of adopted boards before and
   * after their seal, marks live boards that PostgreSQL does not know of, and tells live boards who
   * is excluded that do not know it.
   */
  public void prepare() {
    timeline.unprepared(catalogue.all()).forEach(this::prepare);
    runs.endSettled();
    lookout.look();
    repairMarks();
    lateWrites.watch();
    tellExclusions();
  }

  private void repairMarks() {
    try {
      starts
          .repair()
          .forEach(
              period ->
                  LOG.warn(
                      "live board was not marked as made, and is now board={} period={}",
                      period.board(),
                      period.name()));
    } catch (LiveUnavailable e) {
      outages.noteRequest(e); // The next sweep looks again.
    }
  }

  private void tellExclusions() {
    try {
      exclusions.tellAll().forEach(period -> LOG.info("exclusions told {}", period.label()));
    } catch (LiveUnavailable e) {
      outages.noteRequest(e); // The next sweep tells them.
    }
  }

  private void prepare(Board board) {
    try {
      timeline.prepare(board);
    } catch (IllegalArgumentException | DataIntegrityViolationException e) {
      LOG.error("no next period board={}: {}", board.id(), e.getMessage());
    }
  }

  /**
   * Expires these periods.
   *
   * @param progress receives how many of them are done with
   */
  public void expire(List<PeriodId> expirable, LongConsumer progress) {
    retention.expire(expirable, progress);
  }

  /**
   * One whole sweep; closings go on after it returns.
   *
   * @throws RuntimeException if a part of it failed: what is due is closed all the same
   */
  public List<CompletableFuture<Closed>> run() {
    List<CompletableFuture<Closed>> closings;
    try {
      prepare();
    } finally {
      closings = queue.close(agenda.due(), Cause.of("schedule"));
    }
    return closings;
  }
}
