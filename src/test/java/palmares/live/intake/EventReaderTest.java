package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.live.board.Event;

/** A value that is not exactly an event is refused by name; nothing is guessed or rounded. */
class EventReaderTest {
  private static final String LEAST = "'id': 'e1', 'member': 'ann', 'action': 'like'";

  @Test
  void theSmallestEventHasIdMemberAndAction() {
    Event event = read("{" + LEAST + "}");
    assertThat(event.quantity()).isEqualTo(1);
    assertThat(event.undo()).isFalse();
    assertThat(event.subject()).isNull();
  }

  @Test
  void aTimeIsReadWithAnyOffset() {
    assertThat(read("{" + LEAST + ", 'occurredAt': '2026-11-20T10:00:00.123456+08:00'}"))
        .returns(Instant.parse("2026-11-20T02:00:00.123456Z"), Event::occurredAt);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "like", "{'id': 'a', 'id': 'b'}", "{} {}", "[1]", "7", "null", "'x'"})
  void anythingButAJsonObjectIsMalformed(String text) {
    assertThat(refusal(text).reason()).isEqualTo(RefusalReason.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "Member", "occurred_at", "__proto__"})
  void anUnknownFieldIsNamed(String field) {
    EventRefusal refusal = refusal("{" + LEAST + ", '" + field + "': 1}");
    assertThat(refusal.reason()).isEqualTo(RefusalReason.UNKNOWN_FIELD);
    assertThat(refusal.detail()).contains("'" + field + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "member", "action"})
  void aMissingFieldIsNamed(String field) {
    for (String rest : List.of("", ", '" + field + "': null")) {
      EventRefusal refusal = refusal("{" + without(field) + rest + "}");
      assertThat(refusal.reason()).isEqualTo(RefusalReason.MISSING_FIELD);
      assertThat(refusal.detail()).contains("'" + field + "'");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e3",
        "1.0",
        "2.5",
        "0",
        "-1",
        "9007199254740992",
        "9007199254740993",
        "9223372036854775808",
        "1e400",
        "'7'",
        "true",
        "[1]"
      })
  void aQuantityIsAWholeNumberInDigits(String quantity) {
    EventRefusal refusal = refusal("{" + LEAST + ", 'quantity': " + quantity + "}");
    assertThat(refusal.reason()).isEqualTo(RefusalReason.INVALID_FIELD);
    assertThat(refusal.detail()).contains("from 1 to 9007199254740991");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "0x10", "01", "+1", ".5"})
  void anInvalidJsonNumberIsMalformed(String quantity) {
    assertThat(refusal("{" + LEAST + ", 'quantity': " + quantity + "}").reason())
        .isEqualTo(RefusalReason.MALFORMED);
  }

  @Test
  void theLargestExactQuantityIsRead() {
    assertThat(read("{" + LEAST + ", 'quantity': 9007199254740991}").quantity())
        .isEqualTo((1L << 53) - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "id, 7",
    "member, {}",
    "action, false",
    "subject, []",
    "undo, 1",
    "undo, yes",
    "occurredAt, 1700000000",
    "board, 1"
  })
  void aFieldOfAnotherTypeIsNamed(String field, String value) {
    EventRefusal refusal =
        refusal("{" + without(field) + ", '" + field + "': " + quoted(value) + "}");
    assertThat(refusal.reason()).isEqualTo(RefusalReason.INVALID_FIELD);
    assertThat(refusal.detail()).contains("'" + field + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20",
        "2026-11-20T10:00:00",
        "2026-02-30T10:00:00Z",
        "now",
        "",
        "1969-12-31T23:59:59Z",
        "2200-01-01T00:00:00Z",
        "+999999999-12-31T23:59:59Z"
      })
  void aTimeWithoutOffsetOrOutOfRangeIsRefused(String time) {
    assertThat(refusal("{" + LEAST + ", 'occurredAt': '" + time + "'}").reason())
        .isEqualTo(RefusalReason.INVALID_FIELD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Nope", "", "a/b", "7up", "-x"})
  void anInvalidBoardNameIsRefused(String board) {
    assertThat(refusal("{" + LEAST + ", 'board': '" + board + "'}").reason())
        .isEqualTo(RefusalReason.INVALID_FIELD);
  }

  /** Returns an event without one of its required fields. */
  private static String without(String field) {
    var fields = new StringJoiner(", ");
    for (String other : LEAST.split(", ")) {
      if (!other.startsWith("'" + field + "'")) {
        fields.add(other);
      }
    }
    return fields.toString();
  }

  private static String quoted(String value) {
    return value.equals("yes") ? "'yes'" : value;
  }

  private static Event read(String text) {
    return EventReader.read(StrictJson.value(text.replace('\'', '"').getBytes(UTF_8)));
  }

  private static EventRefusal refusal(String text) {
    return catchThrowableOfType(EventRefusal.class, () -> read(text));
  }

  @Test
  void textBeyondTheLimitsOfTheParserIsRefused() {
    String digits = "9".repeat(2_000);
    for (String text : List.of("[".repeat(2_000), "{\"quantity\":" + digits + "}")) {
      assertThatThrownBy(() -> StrictJson.value(text.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(EventRefusal.class)
          .hasMessageContaining("not valid JSON");
    }
  }
}
