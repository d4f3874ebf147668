package palmares.api.ops;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.platform.Refusal;

/** The text of a cursor holds its keys, and nothing else is taken for one. */
class PageCursorTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "2026-13-20", "-1-01-01T00:00:00Z", "+99999-01-01T00:00:00Z", "\0"})
  void aForgedKeyIsRefused(String forged) {
    String text = PageCursor.of(forged).text();
    assertThatThrownBy(() -> PageCursor.number(PageCursor.parse(text, 1)))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> PageCursor.day(PageCursor.parse(text, 1))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> requireNonNull(PageCursor.parse(text, 1)).time(0))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> PageCursor.parse(text, 2)).isInstanceOf(Refusal.class);
  }

  @Test
  void onlyTheLastKeyMayHoldALineFeed() {
    Instant time = Instant.parse("2026-11-20T10:00:00.123456Z");
    String text = PageCursor.of("a", 7, time, "b\nc\n").text();
    PageCursor cursor = requireNonNull(PageCursor.parse(text, 4));
    assertThat(cursor.key(0)).isEqualTo("a");
    assertThat(cursor.number(1)).isEqualTo(7);
    assertThat(cursor.time(2)).isEqualTo(time);
    assertThat(cursor.key(3)).isEqualTo("b\nc\n");
  }
}
