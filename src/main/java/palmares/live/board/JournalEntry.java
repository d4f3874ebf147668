package palmares.live.board;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.StreamMessage;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.time.Microseconds;

/**
 * An event of a live journal as Redis holds it, not decoded yet. An entry of the stream holds the
 * events that one call decided, and has the id of the last.
 *
 * @param id its number, a hyphen, and the microsecond at which it was written
 * @param text its bytes, one character each
 */
public record JournalEntry(String id, String text) {
  private static final String FIELD = "events";
  private static final String SEPARATOR = "\037";
  private static final String END_OF_EVENT = "\036";
  private static final int FIELDS = 8;

  /** The last field: outcome, points, total points, time, digest. */
  private static final int DECISION_FIELDS = 5;

  public static final class Undecodable extends Refusal {
    Undecodable(JournalEntry entry, Exception cause) {
      super(
          Problem.EVENTS_MISSING,
          new LiveSentences.Undecodable(entry.seq(), String.valueOf(cause.getMessage())),
          cause);
    }
  }

  /** Returns an entry whose time of writing is not known. */
  public static JournalEntry of(long seq, byte[] bytes) {
    return new JournalEntry(seq + "-0", new String(bytes, ISO_8859_1));
  }

  /** Splits an entry of the stream into its events, in their order. */
  static List<JournalEntry> of(StreamMessage<byte[], byte[]> message) {
    var fields = message.getBody().entrySet().stream().map(JournalEntry::field).toList();
    if (fields.size() != 1 || !fields.get(0).getKey().equals(FIELD)) {
      return List.of(foreign(message.getId(), fields));
    }
    String[] texts = fields.get(0).getValue().split(END_OF_EVENT, -1);
    var last = new JournalEntry(message.getId(), texts[texts.length - 1]);
    if (texts.length == 1) {
      return List.of(last);
    }
    String writtenAt = message.getId().substring(message.getId().indexOf('-'));
    long first = last.seq() - texts.length + 1;
    var events = new ArrayList<JournalEntry>(texts.length);
    for (int i = 0; i < texts.length - 1; i++) {
      events.add(new JournalEntry(first + i + writtenAt, texts[i]));
    }
    events.add(last);
    return events;
  }

  private static Map.Entry<String, String> field(Map.Entry<byte[], byte[]> field) {
    return Map.entry(
        new String(field.getKey(), ISO_8859_1), new String(field.getValue(), ISO_8859_1));
  }

  /** An entry that Palmares did not write is kept with the names of its fields. */
  private static JournalEntry foreign(String id, List<Map.Entry<String, String>> fields) {
    return new JournalEntry(
        id,
        fields.stream()
            .map(field -> field.getKey() + "=" + field.getValue())
            .collect(Collectors.joining(SEPARATOR)));
  }

  /** Returns the number of the event; the board's events count from 1 without gaps. */
  public long seq() {
    return seq(id);
  }

  /** Returns the number at the start of the id of a stream's entry. */
  static long seq(String id) {
    return Long.parseLong(id, 0, id.indexOf('-'), 10);
  }

  public byte[] bytes() {
    return text.getBytes(ISO_8859_1);
  }

  /** Returns the first field, which is the id if the entry is an event. */
  public String firstField() {
    return new String(bytes(), UTF_8).split(SEPARATOR, 2)[0];
  }

  /**
   * Decodes the event.
   *
   * @throws Undecodable if the entry is not an event
   */
  public LiveEntry decode() {
    String[] fields = new String(bytes(), UTF_8).split(SEPARATOR, -1);
    try {
      requireLength(fields, FIELDS);
      String[] decision = fields[7].split(" ", -1);
      requireLength(decision, DECISION_FIELDS);
      return new LiveEntry(
          seq(),
          fields[0],
          fields[1],
          fields[2],
          fields[3].isEmpty() ? null : fields[3],
          Verdict.of(decision[0]),
          Long.parseLong(fields[4]),
          Long.parseLong(decision[1]),
          fields[5].isEmpty() ? null : Long.valueOf(fields[5]),
          Long.parseLong(fields[6]),
          decision[4],
          Microseconds.instant(Long.parseLong(decision[3])));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new Undecodable(this, e);
    }
  }

  /** Returns the member's points after the event; the entry must be an event. */
  public long total() {
    String[] decision = text.substring(text.lastIndexOf(SEPARATOR) + 1).split(" ", -1);
    return Long.parseLong(decision[2]);
  }

  private static void requireLength(String[] fields, int length) {
    if (fields.length != length) {
      throw new IllegalArgumentException(
          "it has %d fields instead of %d".formatted(fields.length, length));
    }
  }

  /** Encodes the fields between the member and those that the script adds. */
  static String middle(BoardChange change) {
    String subject = change.event().subject();
    Long value = change.worth().value();
    return change.action().name()
        + SEPARATOR
        + (subject == null ? "" : subject)
        + SEPARATOR
        + change.event().quantity()
        + SEPARATOR
        + (value == null ? "" : value);
  }
}
