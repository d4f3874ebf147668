package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.platform.threads.Spans;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;
import palmares.settlement.outbox.FactBatch.Position;
import palmares.testing.Seeds;

/**
 * For each answer of a receiver, a batch is delivered or its delivery fails; nothing else happens.
 */
class HostileReceiverTest {
  private static final int ANSWERS = 12;

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
          "SSH-2.0-x\r\n",
          "");

  static LongStream seeds() {
    return Seeds.from1To(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anAnswerIsADeliveryOrAFailure(long seed) throws IOException {
    var random = new Random(seed);
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var target =
          new WebhookTarget(
              WebhookTarget.NAME,
              new WebhookSettings(
                  URI.create("http://localhost:" + server.getLocalPort() + "/"),
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
      var batch =
          new FactBatch(
              "1",
              List.of(new Fact("1", "digest", "", null, null, null, Map.of())),
              null,
              Position.behind(1));
      for (int i = 0; i < ANSWERS; i++) {
        String answer = answer(random);
        var thread = new Thread(() -> serve(server, answer));
        thread.start();
        Throwable failure =
            catchThrowable(() -> assertThat(target.send(batch).status()).isBetween(200, 299));
        assertThat(failure)
            .as("seed %d: %.200s", seed, answer)
            .satisfiesAnyOf(
                thrown -> assertThat(thrown).isNull(),
                thrown -> assertThat(thrown).isInstanceOf(DeliveryFailed.class));
      }
    }
  }

  private static String answer(Random random) {
    var text = new StringBuilder(HEADS.get(random.nextInt(HEADS.size())));
    for (int change = random.nextInt(3); change > 0 && !text.isEmpty(); change--) {
      text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
    }
    return text.toString();
  }

  /** Serves each connection of a client that may try a request twice. */
  private static void serve(ServerSocket server, String answer) {
    try (Socket socket = server.accept();
        OutputStream out = socket.getOutputStream()) {
      socket.setSoTimeout(2_000);
      socket.getInputStream().read(new byte[100_000]);
      out.write(answer.getBytes(ISO_8859_1));
    } catch (IOException gone) {
      return; // The client has seen enough.
    }
  }
}
