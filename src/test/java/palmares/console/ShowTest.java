package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Values are shown in the language of a page, and in the zone of its board. */
class ShowTest {
  private static final Show SHOW = new Show(Locale.ENGLISH, Instant.EPOCH);

  @Test
  void aTimeIsInTheZoneOfTheBoardAndATextStaysAsItIs() {
    String time = "2026-10-21T10:42:53.479Z";
    assertThat(SHOW.value(time)).isEqualTo("2026-10-21 10:42:53 UTC");
    assertThat(SHOW.in(ZoneId.of("Asia/Shanghai")).value(time)).isEqualTo("2026-10-21 18:42:53");
    assertThat(SHOW.value("since " + time)).isEqualTo("since " + time);
    assertThat(SHOW.value("2026-99-99T10:42:53Z is no time"))
        .isEqualTo("2026-99-99T10:42:53Z is no time");
  }

  @Test
  void durationsAreInTheTwoLargestUnitsOfTheLanguage() {
    var chinese = new Show(Locale.CHINESE, Instant.EPOCH);
    Instant start = Instant.EPOCH;
    assertThat(SHOW.duration(start, "1970-01-01T14:12:00Z")).isEqualTo("14 h 12 min");
    assertThat(SHOW.duration(start, "1970-01-01T00:00:30Z")).isEqualTo("30.00 s");
    assertThat(SHOW.distance("1970-01-05T01:00:00Z")).isEqualTo("4 d 1 h");
    assertThat(chinese.distance("1970-01-01T00:01:05Z")).isEqualTo("1 分 5 秒");
  }
}
