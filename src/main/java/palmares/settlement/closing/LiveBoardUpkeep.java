package palmares.settlement.closing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveExclusions;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/**
 * Compares boards in Redis with PostgreSQL, and makes up for what an outage has left undone: marks
 * of live boards, exclusions, and what was seen of the keys of adopted boards.
 */
@Component
class LiveBoardUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(LiveBoardUpkeep.class);

  private final LiveBoardCreation creation;
  private final LiveExclusions exclusions;
  private final AdoptedSeal adoptedSeal;
  private final LateWriteCheck lateWrites;
  private final Outages outages;

  LiveBoardUpkeep(
      LiveBoardCreation creation,
      LiveExclusions exclusions,
      AdoptedSeal adoptedSeal,
      LateWriteCheck lateWrites,
      Loops loops) {
    this.creation = creation;
    this.exclusions = exclusions;
    this.adoptedSeal = adoptedSeal;
    this.lateWrites = lateWrites;
    this.outages = loops.outages();
  }

  void run() {
    adoptedSeal.observeAll();
    skipIfUnavailable(this::repairMarks);
    lateWrites.checkRecent();
    skipIfUnavailable(this::sendExclusions);
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

  private void sendExclusions() {
    exclusions.updateAll().forEach(period -> LOG.info("exclusions sent to {}", period.label()));
  }
}
