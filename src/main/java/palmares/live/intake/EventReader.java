package palmares.live.intake;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.live.board.Event;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.ExternalText;
import palmares.rules.board.MemberId;
import tools.jackson.databind.JsonNode;

/** Reads events from JSON. It refuses unknown fields and invalid values by name. */
public final class EventReader {
  /** The largest length of ids and subjects in UTF-8. */
  static final int MAX_BYTES = 128;

  /** The largest whole number that all JSON readers keep exact. */
  private static final long MAX_EXACT = (1L << 53) - 1;

  private static final Set<String> FIELDS =
      Set.of(
          "id",
          "member",
          "action",
          "subject",
          "undo",
          "quantity",
          "value",
          "thenBy",
          "occurredAt",
          "board");
  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private EventReader() {}

  /** Returns the id of a value that need not be an event; null if it has none. */
  public static @Nullable String idOf(JsonNode value) {
    JsonNode id = value.get("id");
    return id != null && id.isString() ? id.stringValue() : null;
  }

  /**
   * Reads an event.
   *
   * @throws EventRefusal if the value is none
   */
  public static Event read(JsonNode value) {
    if (!value.isObject()) {
      throw new EventRefusal(RefusalReason.MALFORMED, new EventSentences.NoObject(kind(value)));
    }
    requireKnownFields(value);
    String board = optionalText(value, "board", MAX_BYTES);
    return new Event(
        text(value, "id", MAX_BYTES),
        new MemberId(text(value, "member", MemberId.MAX_BYTES)),
        text(value, "action", MAX_BYTES),
        optionalText(value, "subject", MAX_BYTES),
        undo(value),
        Objects.requireNonNullElse(whole(value, "quantity", 1), 1L),
        whole(value, "value", 0),
        whole(value, "thenBy", 0),
        occurredAt(value),
        board == null ? null : board(board));
  }

  private static void requireKnownFields(JsonNode value) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        throw new EventRefusal(
            RefusalReason.UNKNOWN_FIELD,
            new EventSentences.UnknownField(
                printable(field.getKey()), FIELDS.stream().sorted().toList()));
      }
    }
  }

  private static String text(JsonNode value, String field, int maxBytes) {
    String text = optionalText(value, field, maxBytes);
    if (text == null) {
      throw new EventRefusal(RefusalReason.MISSING_FIELD, new EventSentences.MissingField(field));
    }
    return text;
  }

  private static @Nullable String optionalText(JsonNode value, String field, int maxBytes) {
    JsonNode node = value.get(field);
    if (node == null || node.isNull()) {
      return null;
    }
    if (!node.isString()) {
      throw invalid(new EventSentences.NotText(field, kind(node)));
    }
    try {
      return ExternalText.require("'" + field + "'", node.stringValue(), maxBytes);
    } catch (InvalidValue e) {
      throw invalid(e.said());
    }
  }

  private static boolean undo(JsonNode value) {
    JsonNode undo = value.get("undo");
    if (undo == null || undo.isNull()) {
      return false;
    }
    if (!undo.isBoolean()) {
      throw invalid(new EventSentences.NotFlag("undo", kind(undo)));
    }
    return undo.booleanValue();
  }

  private static @Nullable Long whole(JsonNode value, String field, long least) {
    JsonNode number = value.get(field);
    if (number == null || number.isNull()) {
      return null;
    }
    if (!number.isIntegralNumber()
        || !number.canConvertToLong()
        || number.longValue() < least
        || number.longValue() > MAX_EXACT) {
      throw invalid(new EventSentences.NotWhole(field, least, printable(number.toString())));
    }
    return number.longValue();
  }

  private static @Nullable Instant occurredAt(JsonNode value) {
    String text = optionalText(value, "occurredAt", MAX_BYTES);
    if (text == null) {
      return null;
    }
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      if (time.isBefore(EARLIEST) || !time.isBefore(LATEST)) {
        throw invalid(new EventSentences.TimeOutOfRange(text));
      }
      return time;
    } catch (DateTimeException e) {
      throw invalid(new EventSentences.NoTime(text));
    }
  }

  private static BoardId board(String board) {
    return BoardId.parse(board).orElseThrow(() -> invalid(new EventSentences.NoBoardId(board)));
  }

  private static EventRefusal invalid(Sentence said) {
    return new EventRefusal(RefusalReason.INVALID_FIELD, said);
  }

  private static String kind(JsonNode node) {
    return node.isNull() || node.isMissingNode()
        ? "nothing"
        : node.isObject() ? "an object" : node.isArray() ? "an array" : printable(node.toString());
  }

  private static String printable(String text) {
    String plain = text.replaceAll("\\p{Cntrl}|\\p{Cs}", "?");
    return plain.length() <= 40 ? plain : plain.substring(0, 40) + "...";
  }
}
