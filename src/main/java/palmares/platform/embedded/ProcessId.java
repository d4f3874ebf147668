package palmares.platform.embedded;

import java.time.Duration;
import java.time.Instant;

/**
 * A process of this machine, which a file names: another one may have its number later.
 *
 * @param since when it started, as precisely as the system knows
 */
public record ProcessId(long pid, Instant since) {
  /**
   * The system derives a process's start from its boot time, which changes slightly with the clock.
   */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(10);

  /** This process. */
  public static ProcessId current() {
    ProcessHandle self = ProcessHandle.current();
    return new ProcessId(self.pid(), startOf(self));
  }

  private static Instant startOf(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  public boolean isAlive() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(
            process ->
                Duration.between(since, startOf(process)).abs().compareTo(START_TOLERANCE) < 0)
        .isPresent();
  }
}
