package palmares.settlement.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import palmares.platform.threads.Loops;
import palmares.settlement.outbox.Deliveries;

/** Deletes old records of runs and facts, which nothing rests on any more. */
@DisallowConcurrentExecution
class PruningJob extends LoopJob {
  private final Pruning pruning;
  private final Deliveries deliveries;

  PruningJob(Pruning pruning, Deliveries deliveries, Loops loops) {
    super(loops, "pruning", Duration.ofHours(25));
    this.pruning = pruning;
    this.deliveries = deliveries;
  }

  @Override
  void round() {
    pruning.prune();
    deliveries.prune();
  }
}
