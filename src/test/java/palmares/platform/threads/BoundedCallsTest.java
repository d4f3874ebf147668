package palmares.platform.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BoundedCallsTest {
  private final CompletableFuture<String> answer = new CompletableFuture<>();
  private final AtomicInteger asked = new AtomicInteger();

  private String ask() {
    asked.incrementAndGet();
    return answer.join();
  }

  @Test
  void nobodyWaitsForACallThatHangsAndItsSubjectIsNotAskedAgainMeanwhile() {
    var calls = new BoundedCalls<String, String>("test", Duration.ofMillis(20));
    assertThat(calls.call("hangs", this::ask)).isEmpty();
    await().until(() -> asked.get() == 1);
    assertThat(calls.call("hangs", this::ask)).isEmpty();
    await().until(() -> calls.call("another", () -> "here").isPresent());
    answer.complete("late");
    await().until(() -> calls.call("hangs", () -> "here again").isPresent());
    assertThat(asked).hasValue(1);
  }

  @Test
  void aFailureReachesItsCallersAndTheNextOneAsksAgain() {
    var calls = new BoundedCalls<String, String>("test", Duration.ofSeconds(20));
    answer.completeExceptionally(new IllegalStateException("away"));
    assertThatThrownBy(() -> calls.call("one", this::ask)).hasMessage("away");
    assertThat(calls.call("one", () -> "here")).contains("here");
  }
}
