package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes requests between a client and the server, and does to requests what networks do. */
public final class Gateway implements AutoCloseable {
  private static final List<String> PASSED = List.of("Authorization", "Content-Type", "Accept");

  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Behaviour> next = new ConcurrentLinkedQueue<>();
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private final Queue<InputStream> streams = new ConcurrentLinkedQueue<>();
  private final String target;
  private final HttpServer server;
  private volatile CountDownLatch open = new CountDownLatch(0);
  private volatile CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch stalled = new CountDownLatch(1);

  /** What is done to a request. */
  public enum Behaviour {
    PASS,
    /** The server gets it, and the client 503 in place of the answer. */
    LOSE_ANSWER,
    /** The server gets it, and the client no answer. */
    DROP_ANSWER,
    /** The server does not get it, and the client is asked to come back in 7 s. */
    BUSY,
    /** The server gets it, and of the answer the client gets the headers, and then nothing more. */
    SILENT,
    /** The server gets it, and the client gets a half of the answer, and then nothing more. */
    STALL
  }

  public Gateway(String target) throws IOException {
    this.target = target;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Says what is done to the next requests; those after them pass. */
  public void next(Behaviour... behaviours) {
    next.addAll(List.of(behaviours));
  }

  /** The bodies of the requests that have come. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Lets requests wait until they are released. */
  public void hold() {
    held = new CountDownLatch(1);
    open = new CountDownLatch(1);
  }

  /** Waits until a request waits. */
  public void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** Waits until a client has half of an answer. */
  public void awaitStalled() throws InterruptedException {
    stalled.await();
  }

  public void release() {
    open.countDown();
  }

  /** Ends the answers that are on their way. */
  public void cut() throws IOException {
    for (InputStream stream = streams.poll(); stream != null; stream = streams.poll()) {
      stream.close();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      requests.add(new String(body, UTF_8));
      Behaviour behaviour = next.isEmpty() ? Behaviour.PASS : next.remove();
      held.countDown();
      open.await();
      if (behaviour == Behaviour.BUSY) {
        exchange.getResponseHeaders().add("Retry-After", "7");
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      HttpResponse<InputStream> answer = pass(exchange, body);
      if (behaviour == Behaviour.SILENT) {
        exchange.sendResponseHeaders(answer.statusCode(), 0);
        exchange.getResponseBody().flush();
        new CountDownLatch(1).await(); // Until the gateway is closed.
      } else if (behaviour == Behaviour.STALL) {
        byte[] whole = answer.body().readAllBytes();
        exchange.sendResponseHeaders(answer.statusCode(), whole.length);
        exchange.getResponseBody().write(whole, 0, whole.length / 2);
        exchange.getResponseBody().flush();
        stalled.countDown();
        new CountDownLatch(1).await();
      } else if (behaviour == Behaviour.PASS) {
        copy(answer, exchange);
      } else {
        answer.body().readAllBytes();
        if (behaviour == Behaviour.LOSE_ANSWER) {
          exchange.sendResponseHeaders(503, -1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<InputStream> pass(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    for (String name : PASSED) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    return http.send(request.build(), BodyHandlers.ofInputStream());
  }

  /** A stream is passed on as it comes. */
  private void copy(HttpResponse<InputStream> answer, HttpExchange exchange) throws IOException {
    answer
        .headers()
        .firstValue("Content-Type")
        .ifPresent(type -> exchange.getResponseHeaders().add("Content-Type", type));
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    streams.add(answer.body());
    try (InputStream in = answer.body();
        OutputStream out = exchange.getResponseBody()) {
      var buffer = new byte[8192];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        out.write(buffer, 0, length);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
