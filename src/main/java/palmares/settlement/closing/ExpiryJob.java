package palmares.settlement.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import palmares.platform.threads.Loops;

/** Expires the settled periods whose retention has run out, apart from the sweep. */
@DisallowConcurrentExecution
class ExpiryJob extends LoopJob {
  private final Retention retention;

  ExpiryJob(Retention retention, Loops loops) {
    super(loops, "expiry", Duration.ofHours(6));
    this.retention = retention;
  }

  @Override
  void round() {
    retention.expire();
  }
}
