package palmares.settlement.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import palmares.platform.threads.Loops;

/** Asks what is due; which trigger fired, and when it should have, says nothing. */
@DisallowConcurrentExecution
class SweepJob extends LoopJob {
  private final Sweep sweep;
  private final Triggers triggers;

  SweepJob(Sweep sweep, Triggers triggers, Loops loops) {
    super(loops, "sweep", Duration.ofMinutes(5));
    this.sweep = sweep;
    this.triggers = triggers;
  }

  @Override
  void round() {
    sweep.run();
    triggers.plan();
  }
}
