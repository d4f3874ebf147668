package palmares.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import palmares.background.Loops;
import palmares.nightly.Nights;

/** Asks every few minutes whether there is a night to verify; which one, the database knows. */
@DisallowConcurrentExecution
class NightJob extends LoopJob {
  private final Nights nights;
  private final LateWrites lateWrites;

  NightJob(Nights nights, LateWrites lateWrites, Loops loops) {
    super(loops, "nightly verification", Duration.ofHours(6));
    this.nights = nights;
    this.lateWrites = lateWrites;
  }

  @Override
  void round() {
    nights.look().ifPresent(night -> lateWrites.watchAll());
  }
}
