package palmares.settlement.closing;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.period.Lease;
import palmares.period.Period;

/** Is one attempt to close a period, which it holds the lease of. */
final class Attempt {
  private final ClosingCause cause;
  private final Lease lease;
  private final RunProgress progress;
  private final Consumer<String> stepListener;
  private volatile Period period;
  private volatile @Nullable String step;

  Attempt(
      ClosingCause cause,
      Lease lease,
      Period period,
      RunProgress progress,
      Consumer<String> stepListener) {
    this.cause = cause;
    this.lease = lease;
    this.period = period;
    this.progress = progress;
    this.stepListener = stepListener;
  }

  ClosingCause cause() {
    return cause;
  }

  Lease lease() {
    return lease;
  }

  /** The last step that began; null before the first. */
  @Nullable String step() {
    return step;
  }

  /** The period as it was when the attempt began, or after its last change of the state. */
  Period period() {
    return period;
  }

  /** Notes the period after a change that is committed. */
  void changed(Period present) {
    period = present;
  }

  RunProgress progress() {
    return progress;
  }

  void enter(String name) {
    step = name;
    progress.begin(name);
    stepListener.accept(name);
  }
}
