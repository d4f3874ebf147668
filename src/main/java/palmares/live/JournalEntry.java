package palmares.live;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.StreamMessage;
import java.time.DateTimeException;
import java.util.stream.Collectors;
import palmares.board.Times;

/**
 * An entry of a live journal as Redis holds it, not decoded yet.
 *
 * @param id the entry's id in the stream: its number, and the microsecond at which it was written
 * @param text its bytes, a character each
 */
public record JournalEntry(String id, String text) {
  private static final String FIELD = "event";
  private static final String SEPARATOR = "\037";
  private static final int WORDS = 11;

  /** What cannot be decoded; names the entry. */
  public static final class Undecodable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Undecodable(JournalEntry entry, Exception cause) {
      super("entry %d is not an event: %s".formatted(entry.seq(), cause.getMessage()), cause);
    }
  }

  /** An entry by its bytes; when it was written is not known. */
  public static JournalEntry of(long seq, byte[] bytes) {
    return new JournalEntry(seq + "-0", new String(bytes, ISO_8859_1));
  }

  static JournalEntry of(StreamMessage<byte[], byte[]> message) {
    var body = message.getBody();
    String text =
        body.entrySet().stream()
            .map(field -> field(field.getKey(), field.getValue(), body.size()))
            .collect(Collectors.joining(SEPARATOR));
    return new JournalEntry(message.getId(), text);
  }

  /** The script writes one field; what others wrote is kept with its names. */
  private static String field(byte[] name, byte[] value, int fields) {
    String text = new String(value, ISO_8859_1);
    boolean ours = fields == 1 && FIELD.equals(new String(name, ISO_8859_1));
    return ours ? text : new String(name, ISO_8859_1) + "=" + text;
  }

  /** The number of the event, which counts the board's events from 1 without gaps. */
  public long seq() {
    return Long.parseLong(id.substring(0, id.indexOf('-')));
  }

  /** The entry's bytes. */
  public byte[] bytes() {
    return text.getBytes(ISO_8859_1);
  }

  /** Its first word: of an event its id. */
  public String firstWord() {
    return new String(bytes(), UTF_8).split(SEPARATOR, 2)[0];
  }

  /**
   * The event that it holds.
   *
   * @throws Undecodable if it holds none
   */
  public LiveEntry decode() {
    String[] words = new String(bytes(), UTF_8).split(SEPARATOR, -1);
    try {
      if (words.length != WORDS) {
        throw new IllegalArgumentException(
            "it has %d fields instead of %d".formatted(words.length, WORDS));
      }
      return new LiveEntry(
          seq(),
          words[0],
          words[1],
          words[2],
          words[3].isEmpty() ? null : words[3],
          Verdict.of(words[4]),
          Long.parseLong(words[5]),
          Long.parseLong(words[6]),
          words[8].isEmpty() ? null : Long.valueOf(words[8]),
          Long.parseLong(words[9]),
          words[10],
          Times.instant(Long.parseLong(words[7])));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new Undecodable(this, e);
    }
  }
}
