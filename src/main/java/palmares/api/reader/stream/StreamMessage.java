package palmares.api.reader.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What a watcher is told, as server-sent events spell it. */
final class StreamMessage {
  /** The id of a stream's last event: whoever has had it need not come again. */
  static final String LAST = "sealed";

  /** Nothing new, and the connection is there still. */
  static final byte[] HEARTBEAT = ":\n\n".getBytes(UTF_8);

  private StreamMessage() {}

  /**
   * The lines, as they stand.
   *
   * @param id which state of the board it is
   * @param json on one line
   */
  static byte[] top(String id, String json) {
    return "id: %s\nevent: top\ndata: %s\n\n".formatted(id, json).getBytes(UTF_8);
  }

  /** The lines, as they stand for good. */
  static byte[] last(String json) {
    return "id: %s\nevent: sealed\ndata: %s\n\n".formatted(LAST, json).getBytes(UTF_8);
  }
}
