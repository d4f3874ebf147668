package palmares.rules.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of a leaderboard refuse nonsense. */
class VocabularyTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "member 7", "李雷", "😀", "a:b/c?d", "'; drop table"})
  void aMemberIdMayBeAnyText(String id) {
    assertThat(new MemberId(id)).hasToString(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "\n", "tab\t", "\u007f", "\u0085"})
  void aMemberIdHasNoControlCharacter(String id) {
    assertThatThrownBy(() -> new MemberId(id))
        .hasMessage("a member's id must not hold control characters, NUL included");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "a\ude00", "\ude00\ud83d"})
  void aMemberIdHasNoLoneSurrogate(String id) {
    assertThatThrownBy(() -> new MemberId(id)).hasMessageContaining("half of a surrogate pair");
  }

  @Test
  void aMemberIdHas1To64Bytes() {
    assertThat(new MemberId("x".repeat(64)).value()).hasSize(64);
    assertThat(new MemberId("😀".repeat(16)).value()).hasSize(32);
    assertThatThrownBy(() -> new MemberId("")).hasMessage("a member's id must not be empty");
    assertThatThrownBy(() -> new MemberId("x".repeat(65)))
        .hasMessage("a member's id takes at most 64 bytes in UTF-8, this one has 65");
    assertThatThrownBy(() -> new MemberId("é".repeat(33))).hasMessageEndingWith("has 66");
  }

  @ParameterizedTest
  @ValueSource(strings = {"invites", "activity-daily", "a", "a1", "z-"})
  void aBoardIdIsAShortWord(String id) {
    assertThat(new BoardId(id)).hasToString(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Invites", "1st", "-a", "a_b", "a.b", "a b", "a/b", "ä", "a\n"})
  void otherTextsAreNoBoardIds(String id) {
    assertThatThrownBy(() -> new BoardId(id)).hasMessageContaining("not '%s'", id);
  }

  @Test
  void aBoardIdHasAtMost40Characters() {
    assertThat(new BoardId("b".repeat(40)).value()).hasSize(40);
    assertThatThrownBy(() -> new BoardId("b".repeat(41))).hasMessageContaining("1 to 40");
  }

  @ParameterizedTest
  @CsvSource({
    "MILLISECOND, 2026-11-20T12:34:56.789999Z, 2026-11-20T12:34:56.789Z",
    "SECOND,      2026-11-20T12:34:56.789999Z, 2026-11-20T12:34:56Z",
    "MINUTE,      2026-11-20T12:34:56.789999Z, 2026-11-20T12:34:00Z",
    "SECOND,      1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59Z",
    "MINUTE,      1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:00Z",
  })
  void aTimeIsTruncatedToItsTick(TimeResolution resolution, Instant time, Instant cut) {
    assertThat(resolution.instant(resolution.tick(time))).isEqualTo(cut);
  }

  @ParameterizedTest
  @CsvSource({
    "MILLISECOND, PT1S, 1000",
    "MILLISECOND, PT0.000001S, 1",
    "MILLISECOND, PT0S, 0",
    "SECOND, PT1S, 1",
    "SECOND, PT1.001S, 2",
    "MINUTE, PT59S, 1",
    "MINUTE, PT24H10M, 1450",
  })
  void ticksOfADurationAreRoundedUp(TimeResolution resolution, Duration of, long ticks) {
    assertThat(resolution.ticks(of)).isEqualTo(ticks);
  }
}
