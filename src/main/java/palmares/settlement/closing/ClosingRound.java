package palmares.settlement.closing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import palmares.period.DuePeriods;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * Takes due periods in each scheduler, every second and at the moment when a period becomes due. So
 * all schedulers begin at the same time, and a period whose process died is taken within a second
 * after its lease has expired.
 */
@Component
class ClosingRound {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ClosingQueue queue;
  private final DuePeriods duePeriods;
  private final Clock clock;
  private volatile Duration pause = INTERVAL;

  ClosingRound(ClosingQueue queue, DuePeriods duePeriods, Clock clock) {
    this.queue = queue;
    this.duePeriods = duePeriods;
    this.clock = clock;
  }

  /** Runs the rounds of a scheduler. */
  @Component
  static class ClosingLoop extends BackgroundLoop {
    private final ClosingRound round;

    ClosingLoop(
        Loops loops,
        @Value("${spring.quartz.auto-startup:false}") boolean scheduler,
        ClosingRound round) {
      super(loops, "closings", scheduler, goesOn -> round.run());
      this.round = round;
    }

    @Override
    protected Duration pause() {
      return round.pause;
    }
  }

  private void run() {
    pause = INTERVAL; // also after a failure
    Optional<Instant> close = duePeriods.firstClose();
    if (close.filter(first -> !first.isAfter(clock.instant())).isPresent()) {
      queue.takeDue();
      close = duePeriods.nextClose();
    }
    close
        .map(next -> Duration.between(clock.instant(), next))
        .filter(left -> left.compareTo(INTERVAL) < 0)
        .ifPresent(left -> pause = left);
  }
}
