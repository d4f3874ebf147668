package palmares.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palmares.client.Confirmation.Result;
import palmares.client.Outcome.Kind;
import palmares.testing.Gateway;
import palmares.testing.Gateway.Behaviour;
import palmares.testing.PalmaresServer;

/** The client against a server of the product, through a gateway that loses answers. */
@Timeout(120)
class PalmaresClientTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String COINS =
      """
      title: Coins
      period: day
      public: true
      zone: UTC
      grace: 10s
      actions:
        coin: { points: 1, max-quantity: 100 }
      max-points: 100000
      ranks: unique
      rewards:
        - rule: prize
          ranks: { 1: 1000 }
      """;

  private static final String TASK =
      """
      {"id": 7, "verb": "close", "state": "running", "endedAt": %s, "messages": [], "progress": []}
      """;

  @TempDir private static Path folder;
  private static PalmaresServer server;

  private final List<Duration> pauses = new ArrayList<>();
  private Gateway gateway;
  private PalmaresClient client;
  private String member;

  @BeforeAll
  static void startServer() {
    server =
        PalmaresServer.start(
            folder, NOON, Map.of("coins", COINS, "streamed", COINS, "silent", COINS));
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void openGateway(TestInfo test) throws Exception {
    gateway = new Gateway(server.url());
    client = builder(server.key()).build();
    member = test.getTestMethod().orElseThrow().getName().substring(0, 8);
  }

  private PalmaresClient.Builder builder(String key) {
    return PalmaresClient.to(gateway.url())
        .key(key)
        .retries(new RetryPolicy(3, Duration.ofMillis(100), Duration.ofSeconds(1)))
        .pause(pauses::add);
  }

  @AfterEach
  void closeGateway() {
    gateway.close();
  }

  private Event coin(int n) {
    return Event.of(member + n, member, "coin").on("chest-" + n).only("coins");
  }

  private long points() throws InterruptedException {
    return client.top("coins", "current", 100).lines().stream()
        .filter(line -> line.member().equals(member))
        .mapToLong(Board.Line::points)
        .sum();
  }

  @Test
  void anEventWhoseAnswerIsLostIsSentAgainUnderItsIdAndCountsOnce() throws Exception {
    gateway.next(Behaviour.LOSE_ANSWER, Behaviour.DROP_ANSWER);
    Outcome outcome = client.send(coin(1));
    assertThat(outcome.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(outcome.isRefused()).isFalse();
    assertThat(gateway.requests()).hasSize(3).containsOnly(gateway.requests().get(0));
    assertThat(pauses).hasSize(2);
    assertThat(points()).isOne();
  }

  /** The JDK's timeout of a request ends with the headers of the answer. */
  @Test
  void anAnswerThatStallsAmidItsBodyIsGivenUpAndTheEventIsSentAgain() throws Exception {
    gateway.next(Behaviour.STALL);
    PalmaresClient patient =
        builder(server.key())
            .timeout(Duration.ofSeconds(2))
            .retries(new RetryPolicy(20, Duration.ofMillis(100), Duration.ofSeconds(1)))
            .build();
    assertThat(patient.send(coin(1)).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(gateway.requests()).hasSizeGreaterThan(1).containsOnly(gateway.requests().get(0));
    assertThat(points()).isOne();
  }

  @Test
  void aThreadThatIsInterruptedDoesNotWaitForTheRestOfAnAnswer() throws Exception {
    gateway.next(Behaviour.STALL);
    var ended = new CompletableFuture<Throwable>();
    var sender = new Thread(() -> ended.complete(catchThrowable(() -> client.send(coin(1)))));
    sender.start();
    gateway.awaitStalled();
    sender.interrupt();
    assertThat(ended.get(LONG.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(InterruptedException.class);
    assertThat(gateway.requests()).hasSize(1);
  }

  /** Without a pause between them, it would only ask. */
  @Test
  void aTaskIsAwaitedByQuestionsThatTheServerAnswersLaterHoweverShortTheTimeout() throws Exception {
    var waits = new ConcurrentLinkedQueue<String>();
    HttpServer tasks =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    tasks.createContext(
        "/",
        exchange -> {
          waits.add(exchange.getRequestURI().getQuery().replaceFirst(".*wait=", ""));
          byte[] task = TASK.formatted(waits.size() < 3 ? "null" : "\"" + NOON + "\"").getBytes();
          exchange.sendResponseHeaders(200, task.length);
          exchange.getResponseBody().write(task);
          exchange.close();
        });
    tasks.start();
    try {
      Task task =
          PalmaresClient.to("http://localhost:" + tasks.getAddress().getPort())
              .timeout(Duration.ofMillis(1500))
              .build()
              .awaitTask(7, Duration.ofHours(1));
      assertThat(task.isOver()).isTrue();
      assertThat(waits).containsExactly("1", "1", "1");
    } finally {
      tasks.stop(0);
    }
  }

  @Test
  void aRetryWaitsAsLongAsTheServerAsks() throws Exception {
    gateway.next(Behaviour.BUSY);
    assertThat(client.send(coin(1)).kind()).isEqualTo(Kind.APPLIED);
    assertThat(pauses).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void anOutageThatIsLongerThanTheAttemptsIsReportedAsRetryable() {
    gateway.next(Behaviour.BUSY, Behaviour.BUSY, Behaviour.BUSY);
    var e = catchThrowableOfType(PalmaresException.class, () -> client.send(coin(1)));
    assertThat(e.isRetryable()).isTrue();
    assertThat(gateway.requests()).hasSize(3);
  }

  @Test
  void aRefusalIsNotRepeatedAndSaysWhichFieldIsWrong() {
    var e =
        catchThrowableOfType(
            PalmaresException.class, () -> client.post("/ops/close", Map.of(), "close-1"));
    assertThat(e.isRetryable()).isFalse();
    assertThat(e.status()).isEqualTo(400);
    assertThat(e.type()).isEqualTo("missing-field");
    assertThat(e.code()).isEqualTo("input.missing");
    assertThat(e.values()).containsEntry("field", "reason");
    assertThat(e.faults())
        .singleElement()
        .satisfies(fault -> assertThat(fault.pointer()).isEqualTo("/reason"));
    assertThat(gateway.requests()).hasSize(1);
  }

  @Test
  void aWrongKeyIsRefusedAndNotRepeated() {
    PalmaresClient stranger = builder("wrong").build();
    var e = catchThrowableOfType(PalmaresException.class, () -> stranger.send(coin(1)));
    assertThat(e.type()).isEqualTo("unauthorized");
    assertThat(gateway.requests()).hasSize(1);
  }

  @Test
  void eachEventOfABatchHasItsOutcome() throws Exception {
    Event conflicting = Event.of(member + 1, member, "coin").on("chest-9").only("coins");
    List<Outcome> outcomes =
        client.send(
            List.of(
                coin(1).times(3),
                Event.of(member + 2, member, "dance"),
                conflicting,
                coin(4).undone()));
    assertThat(outcomes).extracting(Outcome::isRefused).containsExactly(false, true, true, true);
    assertThat(outcomes)
        .extracting(Outcome::reason)
        .containsExactly(null, "unknown-action", "conflicting-id", "undo-not-allowed");
    assertThat(outcomes.get(0).boards())
        .singleElement()
        .satisfies(
            on -> {
              assertThat(on.board()).isEqualTo("coins");
              assertThat(on.change()).isEqualTo(3);
            });
    assertThat(client.send(List.of(conflicting, Event.of(member + 2, member, "dance"))))
        .as("repeats of refused events")
        .allMatch(Outcome::isRefused);
  }

  @Test
  void moreEventsThanARequestMayHaveAreSentInSeveral() throws Exception {
    List<Event> events = IntStream.range(0, 10_001).mapToObj(this::coin).toList();
    List<Outcome> outcomes = client.send(events);
    assertThat(outcomes)
        .extracting(Outcome::id)
        .containsExactlyElementsOf(events.stream().map(Event::id).toList());
    assertThat(gateway.requests()).hasSize(2);
    assertThat(points()).isEqualTo(10_001);
  }

  @Test
  void aFullQueueRefusesWhatIsOfferedAndTakesItOnceABatchIsSent() throws Exception {
    gateway.hold();
    var queue = new EventQueue(client, 2, 10);
    var outcomes = new ArrayList<CompletableFuture<Outcome>>();
    outcomes.add(queue.put(coin(1)));
    gateway.awaitHeld();
    outcomes.add(queue.put(coin(2)));
    outcomes.add(queue.offer(coin(3)).orElseThrow());
    assertThat(queue.offer(coin(4))).isEqualTo(Optional.empty());

    CompletableFuture<CompletableFuture<Outcome>> blocked =
        CompletableFuture.supplyAsync(() -> put(queue, coin(5)));
    gateway.release();
    outcomes.add(blocked.get(30, TimeUnit.SECONDS));
    queue.close();
    assertThat(outcomes).allMatch(CompletableFuture::isDone);
    for (CompletableFuture<Outcome> outcome : outcomes) {
      assertThat(outcome.get().kind()).isEqualTo(Kind.APPLIED);
    }
    assertThatThrownBy(() -> queue.offer(coin(6))).isInstanceOf(IllegalStateException.class);
    assertThat(points()).as("not the one that was refused").isEqualTo(4);
  }

  private static CompletableFuture<Outcome> put(EventQueue queue, Event event) {
    try {
      return queue.put(event);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anEventOfTheQueueThatCouldNotBeSentFailsAloneWithItsBatch() throws Exception {
    gateway.next(Behaviour.BUSY, Behaviour.BUSY, Behaviour.BUSY);
    try (var queue = new EventQueue(client, 10, 10)) {
      CompletableFuture<Outcome> failed = queue.put(coin(1));
      assertThatThrownBy(failed::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(PalmaresException.class);
      assertThat(queue.put(coin(1)).get().kind()).as("again").isEqualTo(Kind.APPLIED);
    }
  }

  @Test
  void theTopIsFollowedOverACutUntilTheSealAndATaskIsAwaitedAndItsAwardConfirmed()
      throws Exception {
    var tops = new Tops();
    send("ann", 1, 3);
    client.follow("streamed", "current", 10).subscribe(tops);
    assertThat(tops.next()).containsExactly("ann 3");
    gateway.cut();
    send("bob/1;%", 2, 5);
    assertThat(tops.next()).containsExactly("bob/1;% 5", "ann 3");

    server.setClock(Instant.parse("2026-11-21T00:00:20Z"));
    Map<String, Object> begun =
        client.post(
            "/ops/boards/streamed/periods/2026-11-20/close", Map.of("reason", "test"), "close-2");
    Task task = client.awaitTask(((Number) begun.get("id")).longValue(), Duration.ofMinutes(1));
    assertThat(task.isOver()).isTrue();
    assertThat(tops.ended()).isNull();
    assertThat(client.top("streamed", "2026-11-20", 1).lines())
        .singleElement()
        .satisfies(line -> assertThat(line.credits()).isEqualTo(1000));
    server.setClock(NOON.plus(Duration.ofDays(1)));
    assertConfirmedOnce("award.paid:streamed/2026-11-20/1/bob%2F1%3B%25/prize/credits/award");
  }

  private void assertConfirmedOnce(String award) throws InterruptedException {
    var other =
        catchThrowableOfType(
            PalmaresException.class,
            () -> client.confirm(new Confirmation(award, Result.CREDITED, 999L, null)));
    assertThat(other.type()).as("another amount").isEqualTo("invalid-field");
    assertThat(client.confirm(new Confirmation(award, Result.CREDITED, 1000L, null))).isTrue();
    assertThat(client.confirm(new Confirmation(award, Result.CREDITED, 1000L, null)))
        .as("again")
        .isFalse();
  }

  private void send(String who, int n, long times) throws InterruptedException {
    Event event = Event.of("s" + n, who, "coin").on("chest").times(times).only("streamed");
    assertThat(client.send(event).kind()).isEqualTo(Kind.APPLIED);
  }

  /** A machine that is gone closes no connection. */
  @Test
  void aStreamThatIsSilentForTooLongIsOpenedAgain() throws Exception {
    Event coin = Event.of("quiet", "eve", "coin").on("chest").only("silent");
    assertThat(client.send(coin).kind()).isEqualTo(Kind.APPLIED);
    gateway.next(Behaviour.SILENT);
    var tops = new Tops();
    builder(server.key())
        .maxSilence(Duration.ofMillis(200))
        .build()
        .follow("silent", "current", 10)
        .subscribe(tops);
    assertThat(tops.next()).containsExactly("eve 1");
  }

  /** Some versions of the JDK apply the timeout of a request to its body, too. */
  @Test
  void aStreamHasNoTimeoutAndIsClosedIfItsAnswerComesTooLate() throws Exception {
    HttpRequest request = client.stream("silent", "current", 3).build();
    assertThat(request.timeout()).isEmpty();
    HttpResponse<InputStream> late =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
    PalmaresClient.abandon(CompletableFuture.completedFuture(late));
    assertThatThrownBy(() -> late.body().read()).isInstanceOf(IOException.class);
  }

  @Test
  void aBoardThatDoesNotExistEndsItsStreamWithTheRefusal() throws Exception {
    var tops = new Tops();
    client.follow("nothing", "current", 10).subscribe(tops);
    assertThat(tops.ended())
        .isInstanceOfSatisfying(
            PalmaresException.class, e -> assertThat(e.type()).isEqualTo("unknown-board"));
  }

  /** Keeps what a stream passes on. */
  private static final class Tops implements Flow.Subscriber<Board> {
    private final BlockingQueue<List<String>> lines = new LinkedBlockingQueue<>();
    private final CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();

    List<String> next() throws InterruptedException {
      return lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    Throwable ended() throws Exception {
      return end.get(LONG.toSeconds(), TimeUnit.SECONDS).orElse(null);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Board top) {
      lines.add(top.lines().stream().map(line -> line.member() + " " + line.points()).toList());
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(Optional.of(failure));
    }

    @Override
    public void onComplete() {
      end.complete(Optional.empty());
    }
  }
}
