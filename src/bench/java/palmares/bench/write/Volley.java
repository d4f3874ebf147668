package palmares.bench.write;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * What the load generator is to send.
 *
 * @param to whom
 * @param path of the server, with its leading slash; or the key of Redis
 * @param clients how many send at a time, each its next request when it has the last answer
 * @param source whose eventsOf they are
 * @param first the number of the first of them
 * @param events how many there are; a multiple of {@code batch}
 * @param batch how many a request brings; 1 for single events
 */
record Volley(
    To to, String path, int clients, CoinEvents source, long first, int events, int batch) {

  /** Who takes it. */
  enum To {
    /** The application, over HTTP. */
    SERVER,
    /** Redis, a bare command for each event. */
    REDIS
  }

  int requests() {
    return events / batch;
  }

  /** What request {@code number} of the volley brings. */
  List<CoinEvent> eventsOf(int number) {
    long from = first + (long) number * batch;
    return LongStream.range(from, from + batch).mapToObj(source::event).toList();
  }

  /** Request {@code number} of the volley, as JSON: an object, or an array of several. */
  String body(int number) {
    return batch == 1
        ? source.event(first + number).json()
        : eventsOf(number).stream().map(CoinEvent::json).collect(joining(",", "[", "]"));
  }

  /**
   * Members of whom few do much and most do little.
   *
   * @param seed what their eventsOf are drawn from
   * @param members how many they are; at least 1
   */
  record CoinEvents(long seed, int members) {
    private static final int MOST_POINTS = 10;

    /** CoinEvent {@code number} of all; the same whoever asks, in whatever process. */
    CoinEvent event(long number) {
      var random = new SplittableRandom(seed * 0x9E37_79B9_7F4A_7C15L + number);
      double share = random.nextDouble();
      return new CoinEvent(
          new UUID(random.nextLong(), number).toString(),
          "member-" + (int) (members * share * share * share),
          1 + random.nextInt(MOST_POINTS));
    }
  }

  /**
   * What one event tells.
   *
   * @param id as long as most callers' ids are
   * @param points what it brings
   */
  record CoinEvent(String id, String member, int points) {
    /** The action that all of them are. */
    static final String ACTION = "coin";

    /** As a caller sends it. */
    String json() {
      return "{\"id\":\""
          + id
          + "\",\"member\":\""
          + member
          + "\",\"action\":\""
          + ACTION
          + "\",\"quantity\":"
          + points
          + '}';
    }
  }
}
