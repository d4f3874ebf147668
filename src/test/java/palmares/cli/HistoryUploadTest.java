package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palmares.cli.launch.Client;
import palmares.cli.launch.Clients;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.UserError;
import palmares.live.history.HistorySource;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Texts;

/** A server that refuses for a while, or does not answer. */
class HistoryUploadTest {
  private static final String LINE = "{\"id\":\"a\"}";
  private static final String TAKEN =
      """
      {"lines":1,"outcomes":{"applied":1},"withoutEffect":0,"leftOut":{},"notTaken":[]}
      """;

  private final List<String> sent = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private int refusals;
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = exchange.getRequestURI().getQuery();
      boolean hasLines = query != null && query.startsWith("first=");
      if (hasLines) {
        sent.add(query + " " + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      }
      boolean isRefused = hasLines && sent.size() <= refusals;
      exchange.getResponseHeaders().add("Retry-After", "7");
      String type = Problem.BUSY.type();
      byte[] body =
          (isRefused
                  ? "{\"type\":\"%s\",\"detail\":\"busy\"}".formatted(type)
                  : hasLines ? TAKEN : "{\"id\":1,\"due\":2}")
              .getBytes(UTF_8);
      exchange.sendResponseHeaders(isRefused ? 503 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private HistoryUpload upload(Duration readTimeout) {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    Client client = Clients.of(url, readTimeout);
    return new HistoryUpload(
        client,
        (reason, wait) -> {
          assertThat(Texts.english(reason)).isEqualTo("busy");
          pauses.add(wait);
        });
  }

  private long send(HistoryUpload upload) throws Exception {
    var source = HistorySource.of("stdin", new ByteArrayInputStream(LINE.getBytes(UTF_8)));
    return upload.send(List.of(source), new Silent());
  }

  private static final class Silent implements Progress {
    @Override
    public void at(long done, String note) {}

    @Override
    public void say(String line) {}

    @Override
    public void close() {}
  }

  @Test
  void aBatchThatIsRefusedForAWhileIsSentAgain() throws Exception {
    refusals = 3;
    HistoryUpload upload = upload(Duration.ofMinutes(1));
    assertThat(send(upload)).isEqualTo(2);
    assertThat(upload.lines()).isOne();
    assertThat(pauses).hasSize(3).containsOnly(Duration.ofSeconds(7));
    assertThat(sent).hasSize(4).containsOnly("first=1 " + LINE);
  }

  @Test
  void aServerThatRefusesForLongEndsTheImport() {
    refusals = 10_000;
    assertThatThrownBy(() -> send(upload(Duration.ofMinutes(1))))
        .isInstanceOfSatisfying(
            Refusal.class, refused -> assertThat(refused.problem()).isEqualTo(Problem.BUSY));
    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
  }

  @Test
  void aServerThatDoesNotAnswerIsNotWaitedForLonger() throws IOException {
    server.removeContext("/");
    server.createContext("/", exchange -> {}); // keeps the connection, and says nothing
    assertThatThrownBy(() -> send(upload(Duration.ofMillis(1))))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("does not answer in time");
  }
}
