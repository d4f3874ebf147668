import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A client of Palmares; needs only Java 17 or newer. Answers are JSON texts, for the library of
 * your choice.
 *
 * <pre>
 * java Palmares.java http://localhost:8080 KEY send invites ada invite grace
 * java Palmares.java http://localhost:8080 KEY follow invites
 * </pre>
 */
record Palmares(String url, String key, HttpClient http) {
  private static final Set<Integer> REPEATED = Set.of(408, 429, 500, 502, 503, 504);

  /**
   * Returns the outcomes of a JSON array of events. It may be sent again: ids make events count
   * once.
   */
  String send(String events, int tries) throws IOException, InterruptedException {
    HttpRequest request =
        request("/api/v1/events")
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(events))
            .build();
    for (int attempt = 1; ; attempt++) {
      double pause =
          ThreadLocalRandom.current()
              .nextDouble(Math.min(30, 0.1 * (1 << attempt))); // senders spread
      try {
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == 200) {
          return answer.body();
        } else if (attempt == tries || !REPEATED.contains(answer.statusCode())) {
          throw new IllegalStateException(answer.body());
        }
        pause = Math.max(pause, answer.headers().firstValueAsLong("Retry-After").orElse(0));
      } catch (IOException noAnswer) { // the events may have been taken, or not
        if (attempt == tries) {
          throw noAnswer;
        }
      }
      Thread.sleep((long) (pause * 1000));
    }
  }

  /** Passes the top of a period on at each change, until the period is sealed. */
  void follow(String board, String period, Consumer<String> top) throws InterruptedException {
    HttpRequest request =
        request("/api/v1/boards/" + board + "/periods/" + period + "/stream?count=10").build();
    while (true) {
      try {
        HttpResponse<Stream<String>> stream = http.send(request, BodyHandlers.ofLines());
        if (stream.statusCode() == 200) {
          boolean sealed = false;
          for (String line : (Iterable<String>) stream.body()::iterator) {
            sealed |= line.matches("event: ?sealed");
            if (line.startsWith("data:")) {
              top.accept(line.substring(5));
            }
          }
          if (sealed) {
            return;
          }
        } else if (!REPEATED.contains(stream.statusCode())) {
          throw new IllegalStateException(String.join("\n", stream.body().toList()));
        }
      } catch (IOException | UncheckedIOException disconnected) {
        // connects again
      }
      Thread.sleep(1000); // a stream ends after 15 minutes
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + key);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var client = new Palmares(args[0], args[1], HttpClient.newHttpClient());
    if (args[2].equals("send")) {
      String event =
          "[{\"id\": \"%s\", \"board\": \"%s\", \"member\": \"%s\", \"action\": \"%s\","
              + " \"subject\": \"%s\"}]";
      System.out.println(
          client.send(event.formatted(UUID.randomUUID(), args[3], args[4], args[5], args[6]), 10));
    } else {
      client.follow(args[3], args.length > 4 ? args[4] : "current", System.out::println);
    }
  }
}
