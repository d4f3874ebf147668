package palmares.platform.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** Months of money are those of Java's clocks, of which alone the boundaries of periods are. */
@WorldTest
class ZoneOffsetsTest {
  private static final int FROM_YEAR = 2015;
  private static final int TO_YEAR = 2036;

  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT24H", "PT168H"})
  void sqlPutsPeriodsIntoTheMonthsOfJavaInEveryZone(Duration length) {
    var zones = new HashMap<ZoneRules, ZoneId>();
    ZoneId.getAvailableZoneIds().stream()
        .map(ZoneId::of)
        .forEach(zone -> zones.put(zone.getRules(), zone));
    assertThat(zones).as("zones that differ").hasSizeGreaterThan(250);
    for (ZoneId zone : zones.values()) {
      List<Instant> ends = ends(zone);
      assertThat(months(ends, length, zone))
          .as(zone.getId())
          .isEqualTo(ends.stream().map(end -> month(end, length, zone)).toList());
    }
  }

  private List<String> months(List<Instant> ends, Duration length, ZoneId zone) {
    return jdbc.sql(
            """
            select to_char(month_of(
                at - :length * interval '1 second', at,
                :offsetsFrom::bigint[], :offsets::bigint[]), 'YYYY-MM')
            from unnest(:ends::bigint[]) with ordinality as ends (seconds, n)
            cross join lateral (select to_timestamp(seconds)) as period (at)
            order by n
            """)
        .param("length", length.toSeconds())
        .param("ends", ends.stream().map(Instant::getEpochSecond).toList())
        .params(ZoneOffsets.parameters(zone))
        .query(String.class)
        .list();
  }

  /** As a calendar on the wall has it. */
  private static String month(Instant end, Duration length, ZoneId zone) {
    Duration half = length.dividedBy(2);
    Duration before = half.compareTo(Duration.ofHours(12)) < 0 ? half : Duration.ofHours(12);
    LocalDateTime time = LocalDateTime.ofInstant(end, zone);
    return time.minus(1, ChronoUnit.MICROS).minus(before).toString().substring(0, 7);
  }

  /** All changes of the clocks and beginnings of months, half a day around each, and a second. */
  private static List<Instant> ends(ZoneId zone) {
    var times = new ArrayList<Instant>();
    for (int year = FROM_YEAR; year < TO_YEAR; year++) {
      for (Month month : Month.values()) {
        times.add(Year.of(year).atMonth(month).atDay(1).atStartOfDay(zone).toInstant());
      }
    }
    Instant last = Year.of(TO_YEAR).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    ZoneOffsetTransition change = zone.getRules().nextTransition(times.get(0));
    while (change != null && change.getInstant().isBefore(last)) {
      times.add(change.getInstant());
      change = zone.getRules().nextTransition(change.getInstant());
    }
    return times.stream()
        .flatMap(at -> Stream.of(-43_200, -1, 0, 1, 43_200).map(at::plusSeconds))
        .toList();
  }

  /** The only zone that all know alike. */
  @Test
  void noStatementUsesTheZonesOfPostgreSql() throws IOException {
    Pattern zones = Pattern.compile("at time zone (?!'UTC')", Pattern.CASE_INSENSITIVE);
    var found = new ArrayList<String>();
    for (Path root : List.of(Path.of("src", "main"), Path.of("db"))) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file :
            files.filter(each -> each.toString().matches(".*\\.(sql|java)")).toList()) {
          if (zones.matcher(Files.readString(file)).find()) {
            found.add(file.toString());
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }
}
