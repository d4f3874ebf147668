package palmares.crash;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers who send at a steady rate, each until it is acknowledged. A request that is refused for a
 * moment is sent again with the same body, which repeats no event.
 */
final class Callers implements AutoCloseable {
  /** What a caller may meet; all else would be lost on it. */
  static final List<Integer> EXPECTED = List.of(200, 202, 503);

  private static final int THREADS = 64;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Doors doors;
  private final Bodies bodies;
  private final Answers answers;
  private final boolean survivesHangUps;
  private final AtomicInteger sent = new AtomicInteger();
  private final NavigableSet<Integer> unanswered = new ConcurrentSkipListSet<>();
  private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(THREADS);
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  /** Where the n-th request goes; another attempt may go elsewhere. */
  interface Doors {
    URI events(int n, int attempt);
  }

  /** What the n-th request says. */
  interface Bodies {
    String body(int n);
  }

  /** Takes the answer to the n-th request, and returns whether it is the last word on it. */
  interface Answers {
    boolean isFinal(int n, String answer);
  }

  /**
   * @param survivesHangUps whether a connection that ends without an answer is no failure
   */
  Callers(Doors doors, Bodies bodies, Answers answers, boolean survivesHangUps) {
    this.doors = doors;
    this.bodies = bodies;
    this.answers = answers;
    this.survivesHangUps = survivesHangUps;
  }

  /** Begins to send. */
  void start(String key, int requestsASecond) {
    clock.scheduleAtFixedRate(
        () -> {
          int n = sent.get();
          unanswered.add(n);
          sent.incrementAndGet();
          clock.execute(() -> send(n, key));
        },
        0,
        TimeUnit.SECONDS.toMicros(1) / requestsASecond,
        TimeUnit.MICROSECONDS);
  }

  private void send(int n, String key) {
    try {
      for (int attempt = 0; !isAnswered(n, key, attempt); attempt++) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      unanswered.remove(n);
    } catch (IOException | RuntimeException | AssertionError e) {
      failures.add("request %d: %s".formatted(n, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isAnswered(int n, String key, int attempt)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(doors.events(n, attempt))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(20))
            .POST(BodyPublishers.ofString(bodies.body(n)))
            .build();
    HttpResponse<String> answer;
    try {
      answer = http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      if (survivesHangUps) {
        return false;
      }
      throw e;
    }
    statuses.merge(answer.statusCode(), 1, Integer::sum);
    if (!EXPECTED.contains(answer.statusCode())) {
      failures.add(answer.statusCode() + " " + answer.body());
      return true;
    }
    return answer.statusCode() != 503 && answers.isFinal(n, answer.body());
  }

  /** How many requests were sent. */
  int sent() {
    return sent.get();
  }

  /** The lowest number of a request that is not answered yet. */
  int lowestUnanswered() {
    int next = sent.get();
    Integer lowest = unanswered.ceiling(0);
    return lowest == null ? next : Math.min(lowest, next);
  }

  /** What no caller may meet. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** How often each status was received. */
  Map<Integer, Integer> statuses() {
    return new TreeMap<>(statuses);
  }

  /** Sends no further request, and waits for the answers. */
  @Override
  public void close() {
    clock.shutdown();
    try {
      if (!clock.awaitTermination(2, TimeUnit.MINUTES)) {
        failures.add("not answered: " + unanswered);
        clock.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      clock.shutdownNow();
    }
  }
}
