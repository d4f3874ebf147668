package palmares.api.reader.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Encodes messages to watchers as server-sent events. */
final class StreamMessage {
  /** The id of a stream's last event; a client that has received it need not reconnect. */
  static final String LAST_ID = "sealed";

  /** A comment, which keeps the connection open. */
  static final byte[] HEARTBEAT = ":\n\n".getBytes(UTF_8);

  private StreamMessage() {}

  /**
   * Encodes the top lines.
   *
   * @param id the version of the board
   * @param json a single line of text
   */
  static byte[] top(String id, String json) {
    return "id: %s\nevent: top\ndata: %s\n\n".formatted(id, json).getBytes(UTF_8);
  }

  /** Encodes the final top lines. */
  static byte[] last(String json) {
    return "id: %s\nevent: sealed\ndata: %s\n\n".formatted(LAST_ID, json).getBytes(UTF_8);
  }
}
