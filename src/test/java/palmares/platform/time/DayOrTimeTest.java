package palmares.platform.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DayOrTimeTest {
  @ParameterizedTest
  @CsvSource({
    "2026-11-20, UTC, 2026-11-20T00:00:00Z",
    "2026-11-20, Pacific/Chatham, 2026-11-19T10:15:00Z",
    // The clocks skip midnight there on that day.
    "2026-09-06, America/Santiago, 2026-09-06T04:00:00Z",
    "2026-11-20T10:00:00Z, Pacific/Chatham, 2026-11-20T10:00:00Z",
    "2026-11-20T10:00+02:00, UTC, 2026-11-20T08:00:00Z"
  })
  void aDayMeansItsBeginningInTheZone(String text, String zone, Instant time) {
    assertThat(DayOrTime.parse(text, ZoneId.of(zone))).contains(time);
  }

  @Test
  void aDayBeginsWhenTheBoardSays() {
    var days = new Days(ZoneId.of("Asia/Shanghai"), LocalTime.of(4, 0));
    assertThat(DayOrTime.parse("2026-11-20", days)).contains(Instant.parse("2026-11-19T20:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tomorrow",
        "2026-13-01",
        "20.11.2026",
        "2026-11-20T10:00:00",
        "+999999-01-01",
        "1969-12-31",
        "-0044-03-15"
      })
  void otherTextsAreRefused(String text) {
    assertThat(DayOrTime.parse(text, ZoneId.of("UTC"))).isEmpty();
  }
}
