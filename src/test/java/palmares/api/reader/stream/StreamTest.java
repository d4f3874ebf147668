package palmares.api.reader.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.reader.stream.EventSource.Event;
import palmares.api.reader.stream.Streams.Reservation;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.live.board.LiveKeys;
import palmares.period.Period;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Streams send the top of a board when it changes. */
@WorldTest
class StreamTest {
  private static final int SEATS = 1_000;
  private static final int SEATS_OF_AN_ADDRESS = 200;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Streams streams;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private final List<EventSource> open = new ArrayList<>();
  private Period day;

  @BeforeEach
  void createABoard() {
    day = world.open(world.board(Rules.day()));
    world.take(Fact.by("ann").times(3).does("coin"));
  }

  @AfterEach
  void disconnect() {
    open.forEach(EventSource::close);
    streams.stop();
    streams.start();
    await().until(() -> streams.reservedCount() == 0);
  }

  @Test
  void theTopIsSentAtOnceAndWhenItChanges() {
    EventSource source = watch("?count=2");
    assertThat(source.header("Content-Type")).startsWith("text/event-stream");
    Event first = source.next();
    assertThat(Instant.parse(first.data().path("asOf").asString())).isEqualTo(world.now());
    assertThat(first.name()).isEqualTo("top");
    assertThat(first.lines()).containsExactly("ann 3");
    assertThat(first.data().path("period").asString()).isEqualTo("2026-11-20");
    coins("bob", 5);
    assertThat(source.next().lines()).containsExactly("bob 5", "ann 3");
    coins("cid", 1);
    coins("ann", 7);
    assertThat(last(source, "ann 10")).containsExactly("ann 10", "bob 5");
  }

  @Test
  void aChangeBelowTheTopSendsNothing() {
    EventSource source = watch("?count=1");
    source.next();
    EventSource all = watch("?count=100");
    all.next();
    coins("bob", 1);
    assertThat(all.next().lines()).containsExactly("ann 3", "bob 1");
    coins("ann", 1);
    assertThat(source.next().lines()).containsExactly("ann 4");
  }

  @Test
  void manyEventsCauseFewMessages() {
    EventSource source = watch("");
    source.next();
    long begun = System.nanoTime();
    for (int i = 0; i < 300; i++) {
      coins("bob", 1);
    }
    int messages = 0;
    while (!source.next().lines().contains("bob 300")) {
      messages++;
    }
    long pauses = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 300;
    assertThat(messages).isLessThanOrEqualTo((int) pauses + 1);
  }

  @Test
  void theSealEndsTheStreamWithTheFinalLines() {
    EventSource source = watch("");
    source.next();
    world.settle(day);
    Event last = source.next();
    assertThat(last.name()).isEqualTo("sealed");
    assertThat(last.lines()).containsExactly("ann 3");
    assertThat(last.data().path("state").asString()).isNotEqualTo("open");
    assertThat(source.next().name()).isEqualTo(EventSource.END);
    await().until(() -> streams.reservedCount() == 0);
  }

  @Test
  void aSettledPeriodIsSentOnceAndAReconnectReturns204() {
    world.settle(day);
    EventSource source = watch("");
    assertThat(source.next().name()).isEqualTo("sealed");
    assertThat(source.next().name()).isEqualTo(EventSource.END);
    var again = HttpRequest.newBuilder(address("")).header("Last-Event-ID", "sealed");
    assertThat(watch(again).status()).isEqualTo(204);
  }

  @Test
  void aStreamContinuesAfterTheLiveBoardWasMissing() {
    EventSource source = watch("");
    source.next();
    byte[] meta = LiveKeys.of(day).name("meta").getBytes(UTF_8);
    byte[] aside = "aside".getBytes(UTF_8);
    rename(meta, aside);
    EventSource late = watch("");
    assertThat(late.status()).isEqualTo(503);
    rename(aside, meta);
    coins("bob", 5);
    assertThat(last(source, "bob 5")).containsExactly("bob 5", "ann 3");
  }

  @Test
  void aDisconnectReleasesTheStream() {
    EventSource source = watch("");
    source.next();
    assertThat(streams.reservedCount()).isEqualTo(1);
    source.close();
    await()
        .until(
            () -> {
              coins("bob", 1);
              return streams.reservedCount() == 0;
            });
  }

  /** Exceptions of Tomcat when a request is recycled while another thread writes to it. */
  @ParameterizedTest
  @ValueSource(strings = {"java.lang.NullPointerException", "java.lang.StackOverflowError"})
  void aDisconnectDuringAFlushEndsNoOtherStream(String failure) {
    EventSource before = watch("");
    before.next();
    var broken =
        new BoardWatcher(
            10,
            new MockAsyncContext(new MockHttpServletRequest(), new MockHttpServletResponse()),
            new BrokenStream(failure),
            () -> true);
    broken.onWritePossible();
    streams.join(day, broken);
    EventSource after = watch("");
    after.next();
    coins("bob", 5);
    assertThat(last(before, "bob 5")).containsExactly("bob 5", "ann 3");
    assertThat(last(after, "bob 5")).containsExactly("bob 5", "ann 3");
  }

  private static final class BrokenStream extends ServletOutputStream {
    private final String failure;

    BrokenStream(String failure) {
      this.failure = failure;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}

    @Override
    public void write(int b) {}

    @Override
    public void flush() {
      if (failure.endsWith("Error")) {
        throw new StackOverflowError();
      }
      throw new NullPointerException();
    }
  }

  @Test
  void aStopEndsAllStreamsAndAStartAcceptsNewOnes() {
    EventSource source = watch("");
    source.next();
    streams.stop();
    assertThat(source.next().name()).isEqualTo(EventSource.END);
    streams.start();
    assertThat(watch("").next().lines()).containsExactly("ann 3");
  }

  @Test
  void aStreamAboveTheMaximumIsRefused() {
    assertRefused("too-many-watchers", SEATS, i -> "10.0.%d.%d".formatted(i / 250, i % 250));
  }

  @Test
  void anAddressWithManyStreamsGetsNoMoreAndOthersDo() {
    assertRefused("too-many-streams", SEATS_OF_AN_ADDRESS, i -> "127.0.0.1");
    List<Reservation> others = reserve(SEATS_OF_AN_ADDRESS, i -> "2001:db8::" + (i + 1));
    assertThatThrownBy(() -> streams.reserve(null, "2001:db8::ffff"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("20010db800000000/64 has 200 open streams");
    assertThat(watch("").next().lines()).containsExactly("ann 3");
    others.forEach(streams::release);
  }

  /** A proxy's address is that of many, and a backend's key is one. */
  @Test
  void whoSignsInIsCountedByNameAndNotByAddress() {
    String key =
        keys.create(new NewKey("shop", Set.of(Role.READER), Set.of(), null), "tester", "test");
    var request = HttpRequest.newBuilder(address("")).header("Authorization", "Bearer " + key);
    Caller backend = Caller.key("backend", Set.of(Role.READER), Set.of(), Set.of());
    var reserved = new ArrayList<>(reserve(SEATS_OF_AN_ADDRESS, i -> "127.0.0.1"));
    try {
      assertThat(watch(request).next().lines()).containsExactly("ann 3");
      for (int i = 0; i < SEATS_OF_AN_ADDRESS; i++) {
        reserved.add(streams.reserve(backend, "10.0.0." + i));
      }
      assertThatThrownBy(() -> streams.reserve(backend, "10.0.1.0"))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("key:backend has 200 open streams");
      reserved.add(streams.reserve(null, "10.0.0.1"));
    } finally {
      reserved.forEach(streams::release);
    }
  }

  /** With one stream left, a client that is refused all the time does not take it. */
  @Test
  void aRefusedClientTakesNoStreamFromOthers() {
    List<Reservation> reserved =
        reserve(SEATS - 1, i -> i < SEATS_OF_AN_ADDRESS ? "192.0.2.1" : "2001:db8:" + i + "::1");
    var over = new AtomicBoolean();
    var refused =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                assertThatThrownBy(() -> streams.reserve(null, "192.0.2.1"))
                    .isInstanceOf(Refusal.class);
              }
            });
    try {
      for (int i = 0; i < 50_000; i++) {
        streams.release(streams.reserve(null, "192.0.2.2"));
      }
    } finally {
      over.set(true);
      refused.join();
      reserved.forEach(streams::release);
    }
  }

  /** What is refused while these streams are reserved, is allowed once they are released. */
  private void assertRefused(String problem, int count, IntFunction<String> addresses) {
    List<Reservation> reserved = reserve(count, addresses);
    Api.Answer answer = new Api(port, null).get(path(""));
    reserved.forEach(streams::release);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
    assertThat(answer.header("Retry-After")).isEqualTo("30");
    assertThat(watch("").next().lines()).containsExactly("ann 3");
  }

  private List<Reservation> reserve(int count, IntFunction<String> addresses) {
    return IntStream.range(0, count)
        .mapToObj(addresses)
        .map(address -> streams.reserve(null, address))
        .toList();
  }

  @Test
  void invalidRequestsAreRefused() {
    Api api = new Api(port, null);
    assertThat(api.get(path("?count=0")).status()).isEqualTo(400);
    assertThat(api.get(path("?count=101")).status()).isEqualTo(400);
    assertThat(api.get("/boards/nowhere/periods/current/stream").status()).isEqualTo(401);
    assertThat(api.send("HEAD", path("")).status()).isEqualTo(200);
    assertThat(streams.reservedCount()).isZero();
  }

  private void coins(String member, int count) {
    world.take(Fact.by(member).does("coin").times(count));
  }

  /** Returns the lines of the first event that contains this line. */
  private static List<String> last(EventSource source, String line) {
    List<String> lines = source.next().lines();
    while (!lines.contains(line)) {
      lines = source.next().lines();
    }
    return lines;
  }

  private void rename(byte[] from, byte[] to) {
    servers.redis(
        connection -> {
          connection.keyCommands().rename(from, to);
          return true;
        });
  }

  @Test
  void aMissingLiveBoardDoesNotBlockOthers() {
    watch("").next();
    Period lost = day;
    Board other = world.board(Rules.day());
    day = world.open(other);
    world.take(Fact.by("eve").does("coin").to(other));
    EventSource source = watch("");
    source.next();
    rename(LiveKeys.of(lost).name("meta").getBytes(UTF_8), "aside".getBytes(UTF_8));
    world.take(Fact.by("eve").does("coin").to(other));
    assertThat(last(source, "eve 2")).containsExactly("eve 2");
  }

  private EventSource watch(String query) {
    return watch(HttpRequest.newBuilder(address(query)));
  }

  private EventSource watch(HttpRequest.Builder request) {
    EventSource source = EventSource.open(request);
    open.add(source);
    return source;
  }

  private URI address(String query) {
    return URI.create("http://127.0.0.1:" + port + "/api/v1" + path(query));
  }

  private String path(String query) {
    return "/boards/" + day.board() + "/periods/" + day.name() + "/stream" + query;
  }
}
