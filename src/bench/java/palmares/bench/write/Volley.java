package palmares.bench.write;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Requests for the load generator to send.
 *
 * @param path of the server, with its leading slash; or the key in Redis
 * @param clients number of concurrent clients
 * @param source generates the events
 * @param first number of the first event
 * @param events number of events; a multiple of {@code batch}
 * @param batch events of a request; 1 for single events
 */
record Volley(
    To to, String path, int clients, CoinEvents source, long first, int events, int batch) {

  /** The receiver of a volley. */
  enum To {
    /** The application, over HTTP. */
    SERVER,
    /** Redis, a bare command for each event. */
    REDIS
  }

  int requests() {
    return events / batch;
  }

  /** The events of a request. */
  List<CoinEvent> eventsOf(int number) {
    long from = first + (long) number * batch;
    return LongStream.range(from, from + batch).mapToObj(source::event).toList();
  }

  /** The JSON of a request: an event, or an array of events. */
  String body(int number) {
    return batch == 1
        ? source.event(first + number).json()
        : eventsOf(number).stream().map(CoinEvent::json).collect(joining(",", "[", "]"));
  }

  /**
   * Generates events. A few members have many, most have few.
   *
   * @param seed of the events
   * @param members number of members; at least 1
   * @param action of all events
   */
  record CoinEvents(long seed, int members, String action) {
    private static final int MOST_POINTS = 10;

    /** The event with that number; the same in every process. */
    CoinEvent event(long number) {
      var random = new SplittableRandom(seed * 0x9E37_79B9_7F4A_7C15L + number);
      double share = random.nextDouble();
      return new CoinEvent(
          new UUID(random.nextLong(), number).toString(),
          "member-" + (int) (members * share * share * share),
          action,
          1 + random.nextInt(MOST_POINTS));
    }
  }

  /**
   * A generated event.
   *
   * @param id a UUID
   * @param points quantity of coins, each worth one point
   */
  record CoinEvent(String id, String member, String action, int points) {
    /** The JSON of the event. */
    String json() {
      return "{\"id\":\""
          + id
          + "\",\"member\":\""
          + member
          + "\",\"action\":\""
          + action
          + "\",\"quantity\":"
          + points
          + '}';
    }
  }
}
