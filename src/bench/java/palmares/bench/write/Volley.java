package palmares.bench.write;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.LongStream;

/**
 * What the load generator is to send.
 *
 * @param to whom
 * @param path of the server, with its leading slash; or the key of Redis
 * @param clients how many send at a time, each its next request when it has the last answer
 * @param crowd whose deeds they are
 * @param first the number of the first of them
 * @param events how many there are; a multiple of {@code batch}
 * @param batch how many a request brings; 1 for single events
 */
record Volley(To to, String path, int clients, Crowd crowd, long first, int events, int batch) {

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
  List<Deed> deeds(int number) {
    long from = first + (long) number * batch;
    return LongStream.range(from, from + batch).mapToObj(crowd::deed).toList();
  }

  /** Request {@code number} of the volley, as JSON: an object, or an array of several. */
  String body(int number) {
    return batch == 1
        ? crowd.deed(first + number).json()
        : deeds(number).stream().map(Deed::json).collect(joining(",", "[", "]"));
  }
}
