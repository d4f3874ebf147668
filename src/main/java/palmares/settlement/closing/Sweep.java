package palmares.settlement.closing;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import palmares.live.board.ClosedMarks;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveExclusions;
import palmares.period.ImportRuns;
import palmares.period.LiveBoardMarks;
import palmares.period.PeriodTimeline;
import palmares.platform.nodes.Nodes;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;

/**
 * Finds what is due, including what was missed during downtime: creates the rows of coming periods
 * and begins closings. Expiry is a separate job, so that its verification delays no closing.
 */
@Component
public class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Catalogue catalogue;
  private final PeriodTimeline timeline;
  private final LiveBoardUpkeep upkeep;
  private final Approvals approvals;
  private final ClosingQueue queue;
  private final Runs runs;
  private final ImportRuns imports;
  private final Nodes nodes;

  Sweep(
      Catalogue catalogue,
      PeriodTimeline timeline,
      LiveBoardUpkeep upkeep,
      Approvals approvals,
      ClosingQueue queue,
      Runs runs,
      ImportRuns imports,
      Nodes nodes) {
    this.catalogue = catalogue;
    this.timeline = timeline;
    this.upkeep = upkeep;
    this.approvals = approvals;
    this.queue = queue;
    this.runs = runs;
    this.imports = imports;
    this.nodes = nodes;
  }

  /**
   * Prepares periods without closing any: creates the rows of present and coming periods, checks
   * the keys of adopted boards, marks live boards that PostgreSQL does not know, sends missing
   * exclusions to live boards, appends the audit entries of imports that are over, and brings the
   * reasons of held closings up to date.
   */
  public void prepare() {
    prepareRows();
    runs.endSettled();
    imports.appendEntries();
    upkeep.run();
    approvals.updateExclusionReasons();
  }

  /** Creates the rows of present and coming periods, which a transaction may roll back. */
  public void prepareRows() {
    timeline.unprepared(catalogue.all()).forEach(this::prepare);
  }

  private void prepare(Board board) {
    try {
      timeline.prepare(board);
    } catch (IllegalArgumentException | DataIntegrityViolationException e) {
      LOG.error("no next period board={}: {}", board.id(), e.getMessage());
    }
  }

  /**
   * Prepares periods, and begins closings that are due, which run on after this returns.
   *
   * @return the closings that began here; workers that are busy begin no other
   * @throws RuntimeException if preparing failed; closings begin nevertheless
   */
  public List<CompletableFuture<ClosingResult>> run() {
    List<CompletableFuture<ClosingResult>> closings;
    try {
      prepare();
    } finally {
      closings = queue.takeDue();
    }
    nodes.swept();
    return closings;
  }

  /**
   * Compares boards in Redis with PostgreSQL, and makes up for what an outage has left undone:
   * marks of live boards, exclusions, marks of settled periods, and what was seen of the keys of
   * adopted boards.
   */
  @Component
  static class LiveBoardUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(LiveBoardUpkeep.class);

    /** How long after its settlement a period is marked again by each sweep. */
    private static final Duration MARK_AGAIN = Duration.ofDays(1);

    private final LiveBoardCreation creation;
    private final LiveExclusions exclusions;
    private final AdoptedSeal adoptedSeal;
    private final LateWriteCheck lateWrites;
    private final LiveBoardMarks marks;
    private final ClosedMarks closed;
    private final Clock clock;
    private final Outages outages;

    LiveBoardUpkeep(
        LiveBoardCreation creation,
        LiveExclusions exclusions,
        AdoptedSeal adoptedSeal,
        LateWriteCheck lateWrites,
        LiveBoardMarks marks,
        ClosedMarks closed,
        Clock clock,
        Loops loops) {
      this.creation = creation;
      this.exclusions = exclusions;
      this.adoptedSeal = adoptedSeal;
      this.lateWrites = lateWrites;
      this.marks = marks;
      this.closed = closed;
      this.clock = clock;
      this.outages = loops.outages();
    }

    void run() {
      adoptedSeal.observeAll();
      skipIfUnavailable(this::repairMarks);
      lateWrites.checkRecent();
      skipIfUnavailable(this::sendExclusions);
      skipIfUnavailable(this::markSettled);
    }

    /** The next sweep tries again. */
    private void skipIfUnavailable(Runnable work) {
      try {
        work.run();
      } catch (RedisUnavailable e) {
        outages.noteRequest(e);
      }
    }

    private void repairMarks() {
      creation
          .repair()
          .forEach(
              period ->
                  LOG.warn(
                      "live board was not marked as created, and is now board={} period={}",
                      period.board(),
                      period.name()));
    }

    /** A closing marks its board only after the payment is committed, and may end before. */
    private void markSettled() {
      closed.markSettled(marks.settledSince(clock.instant().minus(MARK_AGAIN)));
    }

    private void sendExclusions() {
      exclusions.updateAll().forEach(period -> LOG.info("exclusions sent to {}", period.label()));
    }
  }
}
