package palmares.api.reader.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a stream like {@code EventSource} in browsers. */
final class EventSource implements AutoCloseable {
  static final String END = "the end";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int TIMEOUT_SECONDS = 20;

  private final HttpResponse<Stream<String>> answer;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private EventSource(HttpResponse<Stream<String>> answer) {
    this.answer = answer;
    var reader =
        new Thread(
            () -> {
              try {
                answer.body().forEach(lines::add);
              } catch (RuntimeException hungUp) {
                // The test has closed the stream.
              }
              lines.add(END);
            });
    reader.setDaemon(true);
    reader.start();
  }

  static EventSource open(URI address) {
    return open(HttpRequest.newBuilder(address));
  }

  static EventSource open(HttpRequest.Builder request) {
    try {
      var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofLines());
      return new EventSource(answer);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /**
   * A server-sent event.
   *
   * @param name {@link #END} if the stream has ended
   */
  record Event(String name, String id, JsonNode data) {
    /** The lines, as {@code ann 3}. */
    List<String> lines() {
      var lines = new ArrayList<String>();
      data.path("lines")
          .forEach(
              line ->
                  lines.add(line.path("member").asString() + " " + line.path("points").asLong()));
      return lines;
    }
  }

  int status() {
    return answer.statusCode();
  }

  String header(String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /** Returns the next event, without comments. */
  Event next() {
    String id = "";
    String name = "";
    JsonNode data = JSON.createObjectNode();
    for (String line = line(); ; line = line()) {
      if (line.equals(END)) {
        return new Event(END, id, data);
      } else if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("event: ")) {
        name = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data = JSON.readTree(line.substring(6));
      } else if (line.isEmpty() && !name.isEmpty()) {
        return new Event(name, id, data);
      }
    }
  }

  /** Returns the next line, including comments. */
  String line() {
    try {
      String line = lines.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      assertThat(line).as("a line within %d s", TIMEOUT_SECONDS).isNotNull();
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    answer.body().close();
  }
}
