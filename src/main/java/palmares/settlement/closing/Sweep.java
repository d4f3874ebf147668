package palmares.settlement.closing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveExclusions;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.period.PeriodTimeline;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.rules.board.Board;
import palmares.rules.catalogue.Catalogue;

/**
 * Finds what there is to do by the clock of the database, whatever was missed: makes the rows of
 * coming periods and closes what is due. Old live keys go by a job of their own, so that their
 * verification delays no closing.
 */
@Component
public class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Catalogue catalogue;
  private final DuePeriods duePeriods;
  private final PeriodTimeline timeline;
  private final AdoptedKeyCheck adoptedKeyCheck;
  private final ClosingQueue queue;
  private final Retention retention;
  private final Runs runs;
  private final LiveBoardCreation starts;
  private final LiveExclusions exclusions;
  private final LateWriteCheck lateWrites;
  private final Outages outages;

  Sweep(
      Catalogue catalogue,
      DuePeriods duePeriods,
      PeriodTimeline timeline,
      AdoptedKeyCheck adoptedKeyCheck,
      ClosingQueue queue,
      Retention retention,
      Runs runs,
      LiveBoardCreation starts,
      LiveExclusions exclusions,
      LateWriteCheck lateWrites,
      Loops loops) {
    this.outages = loops.outages();
    this.catalogue = catalogue;
    this.duePeriods = duePeriods;
    this.timeline = timeline;
    this.adoptedKeyCheck = adoptedKeyCheck;
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
    adoptedKeyCheck.look();
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
    } catch (RedisUnavailable e) {
      outages.noteRequest(e); // The next sweep looks again.
    }
  }

  private void tellExclusions() {
    try {
      exclusions.tellAll().forEach(period -> LOG.info("exclusions told {}", period.label()));
    } catch (RedisUnavailable e) {
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
  public List<CompletableFuture<ClosingResult>> run() {
    List<CompletableFuture<ClosingResult>> closings;
    try {
      prepare();
    } finally {
      closings = queue.close(duePeriods.due(), ClosingCause.of("schedule"));
    }
    return closings;
  }
}
