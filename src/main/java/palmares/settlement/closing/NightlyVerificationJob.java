package palmares.settlement.closing;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import palmares.platform.threads.Loops;
import palmares.settlement.nightly.NightlyVerification;

/** Asks every few minutes whether there is a night to verify; which one, the database knows. */
@DisallowConcurrentExecution
class NightlyVerificationJob extends LoopJob {
  private final NightlyVerification nightlyVerification;
  private final LateWriteCheck lateWrites;

  NightlyVerificationJob(
      NightlyVerification nightlyVerification, LateWriteCheck lateWrites, Loops loops) {
    super(loops, "nightly verification", Duration.ofHours(6));
    this.nightlyVerification = nightlyVerification;
    this.lateWrites = lateWrites;
  }

  @Override
  void round() {
    nightlyVerification.look().ifPresent(night -> lateWrites.watchAll());
  }
}
