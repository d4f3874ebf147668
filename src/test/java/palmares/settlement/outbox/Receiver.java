package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import palmares.settlement.outbox.WebhookSettings.ListSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives webhooks as another team would: it verifies signatures, and answers as a test says. */
final class Receiver implements AutoCloseable {
  static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Post> posts = new CopyOnWriteArrayList<>();
  private volatile Answer answer = exchange -> 204;
  private volatile String said = "";

  /** Is one received request. */
  record Post(String id, String timestamp, String body, boolean genuine) {
    List<JsonNode> facts() {
      var facts = new ArrayList<JsonNode>();
      JsonMapper.shared().readTree(body).get("facts").forEach(facts::add);
      return facts;
    }

    List<String> ids() {
      return facts().stream().map(fact -> fact.get("id").asString()).toList();
    }
  }

  /** Returns the status of an answer; the sender waits until it returns. */
  interface Answer {
    int to(HttpExchange exchange) throws IOException;
  }

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.setExecutor(threads);
    server.start();
  }

  /** The settings of a wallet on this machine that signs with {@link #SECRET}. */
  static WebhookSettings wallet(String url, @Nullable ListSettings list) {
    return new WebhookSettings(
        URI.create(url),
        List.of(SECRET),
        List.of("localhost"),
        false,
        List.of("*"),
        true,
        list,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10));
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String id = exchange.getRequestHeaders().getFirst("webhook-id");
    String timestamp = exchange.getRequestHeaders().getFirst("webhook-timestamp");
    String signature = exchange.getRequestHeaders().getFirst("webhook-signature");
    posts.add(
        new Post(
            id, timestamp, new String(body, UTF_8), signature.equals(sign(id, timestamp, body))));
    int status = answer.to(exchange);
    byte[] text = status == 200 ? said.getBytes(UTF_8) : new byte[0];
    exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
    if (text.length > 0) {
      exchange.getResponseBody().write(text);
    }
    exchange.close();
  }

  private static String sign(String id, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(new byte[32], "HmacSHA256"));
      byte[] signed =
          mac.doFinal((id + "." + timestamp + "." + new String(body, UTF_8)).getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  URI url() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/facts");
  }

  void answers(int status) {
    answer = exchange -> status;
  }

  /** Answers 200 with this body. */
  void answers(String body) {
    said = body;
    answer = exchange -> 200;
  }

  void answers(Answer by) {
    answer = by;
  }

  List<Post> posts() {
    return posts;
  }

  /** The ids of all received facts, in their order. */
  List<String> ids() {
    return posts.stream().flatMap(post -> post.ids().stream()).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
