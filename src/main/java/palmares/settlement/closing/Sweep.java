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
 * Finds what is due, including what was missed during downtime: creates the rows of coming periods
 * and queues closings. Expiry is a separate job, so that its verification delays no closing.
 */
@Component
public class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Catalogue catalogue;
  private final DuePeriods duePeriods;
  private final PeriodTimeline timeline;
  private final AdoptedSeal adoptedSeal;
  private final ClosingQueue queue;
  private final Expiry expiry;
  private final Runs runs;
  private final LiveBoardCreation creation;
  private final LiveExclusions exclusions;
  private final LateWriteCheck lateWrites;
  private final Outages outages;

  Sweep(
      Catalogue catalogue,
      DuePeriods duePeriods,
      PeriodTimeline timeline,
      AdoptedSeal adoptedSeal,
      ClosingQueue queue,
      Expiry expiry,
      Runs runs,
      LiveBoardCreation creation,
      LiveExclusions exclusions,
      LateWriteCheck lateWrites,
      Loops loops) {
    this.outages = loops.outages();
    this.catalogue = catalogue;
    this.duePeriods = duePeriods;
    this.timeline = timeline;
    this.adoptedSeal = adoptedSeal;
    this.queue = queue;
    this.expiry = expiry;
    this.runs = runs;
    this.creation = creation;
    this.exclusions = exclusions;
    this.lateWrites = lateWrites;
  }

  /**
   * Prepares periods without closing any: creates the rows of present and coming periods, checks
   * the keys of adopted boards, marks live boards that PostgreSQL does not know, and sends missing
   * exclusions to live boards.
   */
  public void prepare() {
    timeline.unprepared(catalogue.all()).forEach(this::prepare);
    runs.endSettled();
    adoptedSeal.observeAll();
    repairMarks();
    lateWrites.checkRecent();
    sendExclusions();
  }

  private void repairMarks() {
    try {
      creation
          .repair()
          .forEach(
              period ->
                  LOG.warn(
                      "live board was not marked as created, and is now board={} period={}",
                      period.board(),
                      period.name()));
    } catch (RedisUnavailable e) {
      outages.noteRequest(e); // The next sweep tries again.
    }
  }

  private void sendExclusions() {
    try {
      exclusions.updateAll().forEach(period -> LOG.info("exclusions sent to {}", period.label()));
    } catch (RedisUnavailable e) {
      outages.noteRequest(e); // The next sweep tries again.
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
   * Expires these periods, each under its lease.
   *
   * @param progress receives the number of periods that are done
   */
  public void expire(List<PeriodId> expirable, LongConsumer progress) {
    expiry.expire(expirable, progress);
  }

  /**
   * Prepares periods and queues the closings that are due, which run on after this returns.
   *
   * @throws RuntimeException if preparing failed; the closings are queued nevertheless
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
