package palmares.rules.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.rules.adoption.Adoption.Deadline;
import palmares.rules.adoption.Encoding.DecimalSeconds;
import palmares.rules.calendar.Calendars;
import palmares.rules.calendar.PeriodUnit;
import palmares.rules.calendar.RecurringCalendar;

/** A pattern gives a distinct key for each period, or is refused. */
class KeyPatternTest {
  private static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");
  private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "DAY, lb:{period}, lb:2027-01-01",
    "DAY, 'lb:{{period}}:x', 'lb:{2027-01-01}:x'",
    "DAY, lb:{game}:{start:yyyyMMdd}, lb:{game}:20270101",
    "DAY, lb:{start:yyyy}:{start:MM}:{start:dd}, lb:2027:01:01",
    "WEEK, lb:{period}, lb:2026-W53",
    "WEEK, lb:{start:YYYYww}, lb:202653",
    "WEEK, lb:{start:yyyyMMdd}, lb:20261228",
    "MONTH, lb:{start:yyyy-M}, lb:2027-1",
    "YEAR, {start:yyyy}, 2027",
    "DAY, 'lb:{{start:''week''}}:{period}', lb:{week}:2027-01-01",
    "DAY, '{user:top}:{start:yyyyDDD}', {user:top}:2027001"
  })
  void eachPeriodHasADistinctKey(PeriodUnit unit, String pattern, String key) {
    var calendar = calendar(unit);
    var keys = new KeyPattern(pattern);
    assertThat(keys.key(calendar.at(NOW).orElseThrow(), ZONE)).isEqualTo(key);
    assertThat(keys.clash(calendar, ZONE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "WEEK, lb:{start:yyyyMM}, 2020-W02, 2020-W03, lb:202001",
    "DAY, lb:{start:MMdd}, 2020-01-02, 2021-01-02, lb:0102",
    "DAY, lb:{start:YYYYww}, 2020-01-02, 2020-01-03, lb:202001",
  })
  void twoPeriodsWithTheSameKeyAreReported(
      PeriodUnit unit, String pattern, String one, String other, String key) {
    var clash = new KeyPattern(pattern).clash(calendar(unit), ZONE);
    assertThat(clash).hasToString("Optional[Clash[one=%s, other=%s, key=%s]]", one, other, key);
  }

  @ParameterizedTest
  @CsvSource({
    "lb, 'needs {period}'",
    "lb:{perod}, did you mean '{period}'",
    "lb:{Period}:{start:yyyyMMdd}, did you mean '{period}'",
    "lb:{ period }:{period}, did you mean '{period}'",
    "lb:{end:yyyyMMdd}:{period}, did you mean '{start:yyyyMMdd}'",
    "lb:{end}:{period}, did you mean '{period}'",
    "'lb:{start,yyyy-MM-dd}:{period}', did you mean '{start:yyyy-MM-dd}'",
    "lb:{start}:{period}, did you mean '{period}'",
    "lb:{START:yyyyMMdd}:{period}, did you mean '{start:yyyyMMdd}'",
    "lb:{yyyy-MM-dd}:{period}, did you mean '{start:yyyy-MM-dd}'",
    "lb:{date:YYYY-MM-DD}:{period}, did you mean '{start:yyyy-MM-dd}'",
    "lb:{start:yyyyMMDD}, did you mean '{start:yyyyMMdd}'",
    "lb:{start:YYYYMMdd}, did you mean '{start:yyyyMMdd}'",
    "lb:{start:yyyymmdd}, did you mean '{start:yyyyMMdd}'",
    "lb:{start:yyyyMMddhh}, an hour of twelve",
    "lb:{start:yyyyMMddhh}, did you mean '{start:yyyyMMddHH}'",
    "lb:{start:yyyyww}, did you mean '{start:YYYYww}'",
    "lb:${period}, write {period}",
    "lb:%Y%m:{period}, write {period}",
    "'', 1 to 200 characters",
    "palmares:{period}, begins like",
    "{palmares:x}:{period}, begins like",
    "lb{:{period}, no hash tag",
    "{}:{period}, no hash tag",
    "lb:{start:X}, OffsetSeconds",
    "lb:{start:yyyyMMdd'}, string literal"
  })
  void anInvalidPatternIsRefused(String pattern, String why) {
    assertThatThrownBy(() -> new KeyPattern(pattern)).hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({"lb:{a}:x, true", "lb, false", "lb{}, false", "lb{}{a}, false", "a}b{c}, true"})
  void aHashTagIsRecognizedAsByRedis(String key, boolean tag) {
    assertThat(KeyPattern.hasTag(key)).isEqualTo(tag);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, , 2027-01-01T16:00:00Z",
    "PT10M, , 2027-01-01T16:10:00Z",
    "PT-1S, , 2027-01-01T15:59:59Z",
    "PT0S, 2030-01-01T00:00:00Z, 2030-01-01T00:00:00Z"
  })
  void theDefaultDeadlineIsTheEndOfThePeriod(Duration after, Instant fixed, Instant deadline) {
    var adoption =
        new Adoption(
            List.of(new KeyPattern("lb:{period}")),
            new DecimalSeconds(5),
            new Deadline(fixed, after));
    var day = calendar(PeriodUnit.DAY).at(NOW).orElseThrow();
    assertThat(adoption.window(day, day.endsAt(), Duration.ofMinutes(5)))
        .isEqualTo(new ChangeWindow(day.startsAt(), day.endsAt().plusSeconds(300), deadline));
    assertThat(adoption.keys(day, ZONE)).containsExactly("lb:2027-01-01");
  }

  private static RecurringCalendar calendar(PeriodUnit unit) {
    return Calendars.of(unit, ZONE.getId());
  }
}
