package palmares.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls a Palmares server over HTTP. Any number of threads may use one client.
 *
 * <p>Every method that sends something may send it again: if there is no answer, or one that asks
 * for a repeat, as its {@link RetryPolicy} says. What it sends has an effect once nevertheless. A
 * refusal is not repeated, and is thrown as {@link PalmaresException}.
 */
public final class PalmaresClient {
  /** Of one request, as the API takes them. */
  private static final int MAX_EVENTS = 10_000;

  /** Less than the 8 MiB that the API takes. */
  private static final int MAX_BYTES = 7 << 20;

  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final String JSON = "application/json";

  private final URI url;
  private final @Nullable String key;
  private final HttpClient http;
  private final Duration timeout;
  private final Duration maxSilence;
  private final Locale language;
  private final RetryPolicy retries;
  private final RetryPolicy.Pause pause;

  private PalmaresClient(Builder builder) {
    this.url = builder.url;
    this.key = builder.key;
    this.http = Objects.requireNonNullElseGet(builder.http, Builder::newHttpClient);
    this.timeout = builder.timeout;
    this.maxSilence = builder.maxSilence;
    this.language = builder.language;
    this.retries = builder.retries;
    this.pause = builder.pause;
  }

  /**
   * Begins a client.
   *
   * @param url of the server, such as {@code http://localhost:8080}
   * @throws IllegalArgumentException if it is no address of HTTP
   */
  public static Builder to(String url) {
    return new Builder(url);
  }

  /** Builds a client. */
  public static final class Builder {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final URI url;
    private @Nullable String key;
    private @Nullable HttpClient http;
    private Duration timeout = Duration.ofSeconds(30);
    private Duration maxSilence = Duration.ofSeconds(45);
    private Locale language = Locale.ENGLISH;
    private RetryPolicy retries = RetryPolicy.DEFAULT;
    private RetryPolicy.Pause pause = duration -> Thread.sleep(duration.toMillis());

    private Builder(String url) {
      this.url = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      if (this.url.getHost() == null || !List.of("http", "https").contains(this.url.getScheme())) {
        throw new IllegalArgumentException("'%s' is no http:// or https:// address".formatted(url));
      }
    }

    private static HttpClient newHttpClient() {
      return HttpClient.newBuilder()
          .connectTimeout(CONNECT_TIMEOUT)
          .version(HttpClient.Version.HTTP_1_1)
          .build();
    }

    /** The API key; without one, only public boards can be read. */
    public Builder key(String newKey) {
      this.key = newKey;
      return this;
    }

    /** How long to wait for each whole answer; 30 s if not set. */
    public Builder timeout(Duration newTimeout) {
      this.timeout = newTimeout;
      return this;
    }

    /**
     * How long the stream of a followed board may be silent before it is opened again; 45 s if not
     * set, in which a server sends three signs of life, unless it has other settings.
     *
     * @throws IllegalArgumentException if it is not longer than zero
     */
    public Builder maxSilence(Duration newMaxSilence) {
      if (newMaxSilence.isZero() || newMaxSilence.isNegative()) {
        throw new IllegalArgumentException(
            "a stream cannot be silent for %s".formatted(newMaxSilence));
      }
      this.maxSilence = newMaxSilence;
      return this;
    }

    /** The language of texts, English or Chinese; English if not set. */
    public Builder language(Locale newLanguage) {
      this.language = newLanguage;
      return this;
    }

    /** When requests are sent again; {@link RetryPolicy#DEFAULT} if not set. */
    public Builder retries(RetryPolicy newRetries) {
      this.retries = newRetries;
      return this;
    }

    /** The JDK's client to use, for proxies and certificates; a new one if not set. */
    public Builder http(HttpClient newHttp) {
      this.http = newHttp;
      return this;
    }

    Builder pause(RetryPolicy.Pause newPause) {
      this.pause = newPause;
      return this;
    }

    public PalmaresClient build() {
      return new PalmaresClient(this);
    }
  }

  /**
   * Sends an event, and returns what became of it, a refusal too.
   *
   * @throws PalmaresException if the request is refused, or had no answer at the last attempt: the
   *     event may count then, and sending it again is safe
   */
  public Outcome send(Event event) throws InterruptedException {
    return send(List.of(event)).get(0);
  }

  /**
   * Sends events in their order, and returns what became of each, refusals too. More than a request
   * may have are sent in several.
   *
   * @throws PalmaresException as for one; some of the events may count then
   */
  public List<Outcome> send(List<Event> events) throws InterruptedException {
    var outcomes = new ArrayList<Outcome>(events.size());
    var part = new ArrayList<String>();
    int bytes = 0;
    for (Event event : events) {
      String json = event.toJson();
      int length = json.getBytes(UTF_8).length + 1;
      if (part.size() == MAX_EVENTS || !part.isEmpty() && bytes + length > MAX_BYTES) {
        outcomes.addAll(sendPart(part));
        part.clear();
        bytes = 0;
      }
      part.add(json);
      bytes += length;
    }
    if (!part.isEmpty()) {
      outcomes.addAll(sendPart(part));
    }
    return outcomes;
  }

  private List<Outcome> sendPart(List<String> events) throws InterruptedException {
    String body = events.stream().collect(Collectors.joining(",", "[", "]"));
    HttpRequest request = post("/api/v1/events", body.getBytes(UTF_8)).build();
    HttpResponse<byte[]> answer = exchange(request, retries);
    List<Outcome> outcomes = read(answer, text -> Json.list(Json.any(text), Outcome::of));
    if (outcomes.size() != events.size()) {
      throw PalmaresException.foreign(answer.uri().toString(), answer.statusCode(), null);
    }
    return outcomes;
  }

  /**
   * Returns the best lines of a board.
   *
   * @param period a name such as {@code 2026-W47}, or {@code current}
   * @param count 1 to 1,000
   */
  public Board top(String board, String period, int count) throws InterruptedException {
    return read(
        exchange(request(boardPath(board, period) + "/top?count=" + count).build(), retries),
        text -> Board.of(Json.object(text)));
  }

  /**
   * Returns a publisher of the best lines of a board, one after each change, until the period is
   * sealed. A subscriber that asks late misses what was between. A connection that ends or is
   * silent is opened again, for the period with which the first began; only a refusal is an error.
   *
   * @param period a name, or {@code current} for the one at the time of the subscription
   * @param count 1 to 100
   */
  public Flow.Publisher<Board> follow(String board, String period, int count) {
    return subscriber -> BoardStream.begin(this, board, period, count, retries, subscriber);
  }

  /** Returns a task. */
  public Task task(long id) throws InterruptedException {
    return task(request("/api/v1/ops/tasks/" + id));
  }

  /**
   * Waits until a task has ended, and returns it.
   *
   * @param atMost how long to wait; then the task is returned as it runs
   */
  public Task awaitTask(long id, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      long left = Math.max(0, (end - System.nanoTime()) / 1_000_000_000);
      long wait =
          Math.min(left, Math.max(1, Math.min(MAX_WAIT.toSeconds(), timeout.toSeconds() / 2)));
      // More lines of progress than any task has, so that only its end is an answer.
      String path = "/api/v1/ops/tasks/%s?seen=%s&wait=%s".formatted(id, Integer.MAX_VALUE, wait);
      Task task = task(request(path).timeout(timeout.plusSeconds(wait)));
      if (task.isOver() || left == 0) {
        return task;
      }
    }
  }

  private Task task(HttpRequest.Builder request) throws InterruptedException {
    return read(exchange(request.build(), retries), text -> Task.of(Json.object(text)));
  }

  /**
   * Says what became of an award in the wallet.
   *
   * @return whether it is new; a repeat changes nothing
   */
  public boolean confirm(Confirmation confirmation) throws InterruptedException {
    String path = "/api/v1/deliveries/%s/outcome".formatted(escape(confirmation.id()));
    HttpRequest request = post(path, Json.write(confirmation.json())).build();
    return read(
        exchange(request, retries), text -> Boolean.TRUE.equals(Json.object(text).get("isNew")));
  }

  /**
   * Returns the JSON at an address of the API: a map, or a list of maps.
   *
   * @param path from {@code /api/v1} on, such as {@code /ops/wallet/findings}
   */
  public Object get(String path) throws InterruptedException {
    return read(exchange(request("/api/v1" + path).build(), retries), Json::any);
  }

  /**
   * Calls a verb of the API.
   *
   * @param path from {@code /api/v1} on, such as {@code /ops/close}
   * @param idempotencyKey under which the verb has an effect once, however often it is sent
   */
  public Map<String, Object> post(String path, Map<String, Object> body, String idempotencyKey)
      throws InterruptedException {
    HttpRequest request =
        post("/api/v1" + path, Json.write(body)).header("Idempotency-Key", idempotencyKey).build();
    return read(exchange(request, retries), Json::object);
  }

  /** Sends a request until it has an answer that is no request for a repeat. */
  private HttpResponse<byte[]> exchange(HttpRequest request, RetryPolicy policy)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      PalmaresException failure;
      try {
        HttpResponse<byte[]> answer = exchange(request, BodyHandlers.ofByteArray());
        if (answer.statusCode() / 100 == 2) {
          return answer;
        }
        failure = PalmaresException.of(answer, answer.body());
      } catch (PalmaresException noAnswer) {
        failure = noAnswer;
      }
      if (!failure.isRetryable() || attempt >= policy.attempts()) {
        throw failure;
      }
      pause(policy, attempt, failure);
    }
  }

  /** Waits after a failed attempt, at least as long as the server asked for. */
  void pause(RetryPolicy policy, int failed, PalmaresException failure)
      throws InterruptedException {
    Duration delay = policy.delay(failed);
    pause.of(delay.compareTo(failure.retryAfter()) > 0 ? delay : failure.retryAfter());
  }

  /**
   * Waits for an answer for the timeout of the request, or of the client if it has none. That of
   * the JDK ends with the headers of an answer in some versions, and the body may stall, too.
   */
  <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> body)
      throws InterruptedException {
    Duration atMost = request.timeout().orElse(timeout);
    CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, body);
    boolean isTaken = false;
    try {
      HttpResponse<T> taken =
          answer.get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
      isTaken = true;
      return taken;
    } catch (TimeoutException e) {
      throw noAnswer(request, new HttpTimeoutException("no whole answer in " + atMost));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw noAnswer(request, cause);
      }
      throw new IllegalStateException("cannot send a request to " + request.uri(), e.getCause());
    } finally {
      if (!isTaken) {
        abandon(answer);
      }
    }
  }

  /** Closes the connection of an answer that nobody waits for, which may have just arrived. */
  static <T> void abandon(CompletableFuture<HttpResponse<T>> answer) {
    boolean isHere = !answer.cancel(true) && !answer.isCompletedExceptionally();
    if (isHere && answer.join().body() instanceof Closeable stream) {
      try {
        stream.close();
      } catch (IOException e) {
        // Its connection is closed all the same.
      }
    }
  }

  private static PalmaresException noAnswer(HttpRequest request, IOException cause) {
    return PalmaresException.noAnswer(request.uri().toString(), cause);
  }

  Duration maxSilence() {
    return maxSilence;
  }

  /**
   * Begins a request of the stream, without a timeout, which the JDK would apply to the body, too,
   * in some versions.
   */
  HttpRequest.Builder stream(String board, String period, int count) {
    return untimed(boardPath(board, period) + "/stream?count=" + count)
        .setHeader("Accept", "text/event-stream, " + JSON);
  }

  private HttpRequest.Builder post(String path, byte[] body) {
    return request(path).header("Content-Type", JSON).POST(BodyPublishers.ofByteArray(body));
  }

  private HttpRequest.Builder request(String path) {
    return untimed(path).timeout(timeout);
  }

  private HttpRequest.Builder untimed(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Accept", JSON + ", application/problem+json")
            .header("Accept-Language", language.toLanguageTag())
            .header("User-Agent", "palmares-client");
    return key == null ? request : request.header("Authorization", "Bearer " + key);
  }

  private static String boardPath(String board, String period) {
    return "/api/v1/boards/%s/periods/%s".formatted(escape(board), escape(period));
  }

  /** Writes one part of a path. */
  private static String escape(String part) {
    return URLEncoder.encode(part, UTF_8).replace("+", "%20");
  }

  private interface Reader<T> {
    T read(byte[] text);
  }

  private static <T> T read(HttpResponse<byte[]> answer, Reader<T> reader) {
    try {
      return reader.read(answer.body());
    } catch (IllegalArgumentException | ClassCastException | DateTimeException e) {
      throw PalmaresException.foreign(answer.uri().toString(), answer.statusCode(), e);
    }
  }
}
