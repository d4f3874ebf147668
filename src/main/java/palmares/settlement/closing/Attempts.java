package palmares.settlement.closing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Lease;
import palmares.period.PeriodId;

/** Holds the attempts that run in this process: the steps of a job find their lease here. */
@Component
class Attempts {
  private final Map<PeriodId, Attempt> running = new ConcurrentHashMap<>();

  void begin(Attempt attempt) {
    running.put(attempt.lease().period(), attempt);
  }

  void end(Attempt attempt) {
    running.remove(attempt.lease().period(), attempt);
  }

  /**
   * Finds the attempt to close a period.
   *
   * @throws IllegalStateException if something started the job without a lease
   */
  Attempt get(PeriodId period) {
    Attempt attempt = running.get(period);
    if (attempt == null) {
      throw new IllegalStateException(
          "the closing of period %s runs without a lease: start it by 'palmares close'"
              .formatted(period));
    }
    return attempt;
  }

  /** Is one attempt to close a period: its cause, its lease, and the step that it has reached. */
  static final class Attempt {
    private final ClosingCause cause;
    private final Lease lease;
    private final Consumer<String> stepListener;
    private volatile @Nullable String step;

    Attempt(ClosingCause cause, Lease lease, Consumer<String> stepListener) {
      this.cause = cause;
      this.lease = lease;
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

    void enter(String name) {
      step = name;
      stepListener.accept(name);
    }
  }
}
