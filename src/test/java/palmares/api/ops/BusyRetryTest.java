package palmares.api.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BusyRetryTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private long seconds;
  private int attempts;
  private final BusyRetry retry =
      new BusyRetry(TIMEOUT, () -> Duration.ofSeconds(seconds).toNanos(), () -> seconds += 2);

  @Test
  void aFirstSuccessIsNotRetried() {
    assertThat(retry.until(done -> true, () -> ++attempts)).isEqualTo(1);
    assertThat(seconds).isZero();
  }

  @Test
  void aLongFirstAttemptDoesNotCountAsTimeout() {
    int result =
        retry.until(
            count -> count == 11,
            () -> {
              seconds += attempts == 0 ? 3_600 : 0;
              return ++attempts;
            });
    assertThat(result).isEqualTo(11);
    assertThat(seconds).isEqualTo(3_620);
  }

  @Test
  void retriesEndWithTheTimeout() {
    assertThat(retry.until(count -> false, () -> ++attempts)).isEqualTo(31);
    assertThat(seconds).isEqualTo(TIMEOUT.toSeconds());
  }
}
