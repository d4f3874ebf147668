package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.platform.threads.Spans;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;
import palmares.settlement.outbox.FactBatch.Position;
import palmares.testing.FaultJournal;

/**
 * For each answer of a receiver, a batch is delivered or its delivery fails; nothing else happens,
 * and nothing is read without end. {@code -Dtests.hostile-answers=500} tries 500 seeds, and goes on
 * where it was stopped.
 */
class HostileReceiverTest {
  private static final int ANSWERS = 12;
  private static final int ASKED = Integer.getInteger("tests.hostile-answers", 0);
  private static final @Nullable FaultJournal JOURNAL =
      ASKED == 0
          ? null
          : new FaultJournal("hostile-answers", "hostile answers of a webhook's receiver", 1);

  /** More than a machine sends in the time after which a client ends the connection. */
  private static final long MAX_SENT_BYTES = 16L << 30;

  /** How a receiver goes on behind an answer. */
  private enum End {
    CLOSE,
    /** A byte now and then, for longer than the client waits. */
    TRICKLE,
    /** As many bytes as the client takes. */
    ENDLESS
  }

  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private static final List<String> HEADS =
      List.of(
          "HTTP/1.1 204 No Content\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
          "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
          "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n",
          "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n",
          "HTTP/1.1 999 Never\r\n\r\n",
          "HTTP/1.1 -1 Never\r\n\r\n",
          "HTTP/9.9 200 OK\r\n\r\n",
          "HTTP/1.1 401 No\r\nWWW-Authenticate: \u0000\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
          "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(50_000) + "\r\n",
          "HTTP/1.1 200 " + "x".repeat(100_000) + "\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n",
          "HTTP/1.1 200 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nX-Endless: ",
          "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(40),
          "SSH-2.0-x\r\n",
          "");

  static LongStream seeds() {
    return LongStream.rangeClosed(1, ASKED == 0 ? 3 : ASKED)
        .filter(seed -> JOURNAL == null || !JOURNAL.isKept("seed " + seed));
  }

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  @ParameterizedTest(name = "seed {0}", allowZeroInvocations = true)
  @MethodSource("seeds")
  void anAnswerIsADeliveryOrAFailure(long seed) {
    if (JOURNAL == null) {
      sendAll(seed);
    } else {
      JOURNAL.run("seed " + seed, ANSWERS, () -> sendAll(seed));
    }
  }

  /** Returns the acknowledged events, which are of no concern here. */
  private static long sendAll(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < ANSWERS; i++) {
      String answer = answer(random);
      End end = random.nextInt(6) > 0 ? End.CLOSE : End.values()[random.nextInt(3)];
      long sent = sendOne(answer, end);
      assertThat(sent).as("seed %d, %s: %.200s", seed, end, answer).isLessThan(MAX_SENT_BYTES);
    }
    return 0;
  }

  /** Returns how many bytes behind the answer the client has taken when it has a verdict. */
  private static long sendOne(String answer, End end) {
    var batch =
        new FactBatch(
            "1",
            List.of(new Fact("1", "digest", "", null, null, null, Map.of())),
            null,
            Position.behind(1));
    var served = new Served();
    CompletableFuture<Void> receiver;
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      receiver = CompletableFuture.runAsync(() -> serve(server, answer, end, served), THREADS);
      WebhookTarget target = target(server.getLocalPort());
      Throwable failure =
          catchThrowable(() -> assertThat(target.send(batch).status()).isBetween(200, 299));
      assertThat(failure)
          .as("%s: %.200s", end, answer)
          .satisfiesAnyOf(
              thrown -> assertThat(thrown).isNull(),
              thrown -> assertThat(thrown).isInstanceOf(DeliveryFailed.class));
      served.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    receiver.join();
    return served.bytes;
  }

  /** A new one, so that each answer is on a connection that it has just made. */
  private static WebhookTarget target(int port) {
    return new WebhookTarget(
        WebhookTarget.NAME,
        new WebhookSettings(
            URI.create("http://localhost:" + port + "/"),
            List.of(Receiver.SECRET),
            List.of("localhost"),
            false,
            List.of("*"),
            true,
            null,
            Duration.ofSeconds(5),
            Duration.ofMillis(300)),
        Clock.systemUTC(),
        Spans.none());
  }

  private static String answer(Random random) {
    var text = new StringBuilder(HEADS.get(random.nextInt(HEADS.size())));
    for (int change = random.nextInt(3); change > 0 && !text.isEmpty(); change--) {
      text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
    }
    return text.toString();
  }

  /** A connection of a receiver. */
  private static final class Served {
    private volatile @Nullable Socket socket;
    private volatile long bytes;

    void close() throws IOException {
      Socket open = socket;
      if (open != null) {
        open.close();
      }
    }
  }

  private static void serve(ServerSocket server, String answer, End end, Served served) {
    try (Socket socket = server.accept();
        OutputStream out = socket.getOutputStream()) {
      served.socket = socket;
      socket.setSoTimeout(2_000);
      InputStream in = socket.getInputStream();
      in.read(new byte[100_000]);
      out.write(answer.getBytes(ISO_8859_1));
      byte[] more = new byte[end == End.TRICKLE ? 1 : 100_000];
      Arrays.fill(more, (byte) ' ');
      socket.setSoTimeout(20);
      long sent = 0;
      while (end != End.CLOSE && sent < MAX_SENT_BYTES && (end == End.ENDLESS || isOpen(in))) {
        out.write(more);
        sent += more.length;
        served.bytes = sent;
      }
    } catch (IOException gone) {
      return; // The client has seen enough.
    }
  }

  /** Waits until the client says more, but not for long. */
  private static boolean isOpen(InputStream in) throws IOException {
    try {
      return in.read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
