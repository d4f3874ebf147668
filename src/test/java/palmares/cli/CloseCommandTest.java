package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.live.board.LiveKeys;
import palmares.period.ImportRuns;
import palmares.period.Leases;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

class CloseCommandTest extends OnOwnApplication {
  @Test
  void aDuePeriodIsSettledOnce() {
    importEvent("2025-02-01");
    Called first = palmares.call("close", "race", "2025-02-01");
    assertThat(first.exitCode()).isZero();
    assertThat(first.out()).startsWith("settled race 2025-02-01: 1 member, in ");
    assertThat(first.err()).containsSubsequence("seal", "drain", "fill", "pay");
    Called second = palmares.call("close", "race", "2025-02-01");
    assertThat(second.exitCode()).isZero();
    assertThat(second.out())
        .contains("race 2025-02-01 is settled since 2026-03-", "nothing was changed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rase race-day       | there is no board 'rase'; did you mean 'race'?
          race yesterday      | the board 'race' has no period 'yesterday': its periods are named like
          race 2026-W11       | has no period '2026-W11': its periods are named like 2026
          race 2026-3-9       | the board 'race' has no period '2026-3-9'
          race 2026-08-10     | it ends 2026-08-11 00:00:00+00:00, and with its grace it is due 2026-08-11 00:10:00+00:00
          race 1999-01-01     | race 1999-01-01 was never opened
          forever all         | never closes
          """)
  void refusalsAreReportedAndChangeNothing(String named, String message) {
    palmares.call("runs");
    long before = periods();
    Called called = palmares.call(("close " + named).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(message);
    assertThat(called.out()).isEmpty();
    if (!named.contains("1999")) { // The search created the rows of the present periods.
      assertThat(periods()).isEqualTo(before);
    }
  }

  @Test
  void aPeriodThatAnotherProcessHoldsIsLeftToIt() {
    importEvent("2025-02-02");
    var lease = palmares.get(Leases.class).take(period("2025-02-02"), "elsewhere:1").orElseThrow();
    Called one = palmares.call("close", "race", "2025-02-02", "--wait", "0");
    assertThat(one.exitCode()).isEqualTo(1);
    assertThat(one.err()).contains("race 2025-02-02 is in use by another process");
    Called all = palmares.call("close", "--due", "--wait", "0");
    assertThat(all.exitCode()).isEqualTo(1);
    assertThat(all.out()).contains("1 left to others");
    palmares.advance(Duration.ofSeconds(20)); // Its process was killed.
    assertThat(palmares.call("close", "race", "2025-02-02").exitCode()).isZero();
    assertThat(lease.owner()).isEqualTo("elsewhere:1");
  }

  @Test
  void aPeriodThatAnImportFillsIsSkipped() {
    importEvent("2025-02-03");
    var run = palmares.get(ImportRuns.class).begin("elsewhere", "local:test");
    palmares
        .get(JdbcClient.class)
        .sql("update period set opened_by_import = ? where id = ?")
        .params(run.id(), period("2025-02-03").value())
        .update();
    Called one = palmares.call("close", "race", "2025-02-03");
    assertThat(one.exitCode()).isEqualTo(1);
    assertThat(one.err()).contains("race 2025-02-03 is being filled by an import");
    Called all = palmares.call("close", "--due");
    assertThat(all.exitCode()).isEqualTo(1);
    assertThat(all.err()).contains("1 due period is skipped: an import fills it");
    palmares.advance(Duration.ofSeconds(30)); // It was killed, or stalls.
    Called silent = palmares.call("close", "--due");
    assertThat(silent.exitCode()).isEqualTo(1);
    assertThat(silent.err()).contains("1 due period is skipped: its import has not ended");
    assertThat(silent.out()).contains("\n  palmares close --due --stopped-imports ");
    assertThat(palmares.call("close", "race", "2025-02-03", "--stopped-imports").err())
        .contains("use --stopped-imports only with --due");
    assertThat(palmares.call("close", "--due", "--stopped-imports").out()).contains("settled 1 ");
  }

  @Test
  void failuresAreListedAndTheOthersAreSettled() {
    importEvent("2025-02-04");
    importEvent("2025-02-05");
    var redis = palmares.get(StringRedisTemplate.class);
    String lost = new LiveKeys(new BoardId("race"), new PeriodName("2025-02-04")).name("");
    var parts = List.copyOf(redis.keys(lost.replace("{", "\\{").replace("}", "\\}") + "*"));
    parts.forEach(key -> redis.rename(key, "lost:" + key));
    Called broken = palmares.call("close", "--due");
    assertThat(broken.exitCode()).isEqualTo(1);
    assertThat(broken.lines())
        .satisfiesOnlyOnce(
            line ->
                assertThat(line).startsWith("failed race 2025-02-04: ").contains("gone from Redis"))
        .satisfiesOnlyOnce(
            line -> assertThat(line).startsWith("settled 1 period ").contains("1 failed"));
    Called one = palmares.call("close", "race", "2025-02-04");
    assertThat(one.exitCode()).isEqualTo(1);
    assertThat(one.err()).contains("race 2025-02-04 is not settled: ", "gone from Redis");
    assertThat(palmares.call("runs", "race", "--failed").out())
        .contains("2025-02-04", "failed", "seal");

    parts.forEach(key -> redis.rename("lost:" + key, key));
    assertThat(palmares.call("close", "--due").exitCode()).isZero();
  }

  @Test
  void aClosingThatThrowsIsListedAndTheOthersAreSettled() {
    importEvent("2025-02-06");
    importEvent("2025-02-07");
    var jdbc = palmares.get(JdbcClient.class);
    PeriodId broken = period("2025-02-06");
    jdbc.sql(
            """
            create function hiccup() returns trigger language plpgsql
            as 'begin raise exception ''a hiccup''; end'\
            """)
        .update();
    jdbc.sql(
            """
            create trigger hiccup before update on period
            for each row when (old.id = %s) execute function hiccup()\
            """
                .formatted(broken))
        .update();
    Called called = palmares.call("close", "--due");
    jdbc.sql("drop function hiccup cascade").update();
    assertThat(called.exitCode()).isEqualTo(1);
    assertThat(called.lines().get(0))
        .startsWith("failed period with id " + broken + ": ")
        .contains("a hiccup");
    assertThat(called.lastLine()).startsWith("settled 1 period ").contains("1 failed");
    assertThat(palmares.call("close", "--due").out()).startsWith("settled 1 period ");
  }

  @Test
  void ifNothingIsDueItNamesTheNextPeriod() {
    palmares.call("close", "--due");
    Called called = palmares.call("close", "--due");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out())
        .isEqualTo("nothing is due; next is race at 2026-03-11 00:10:00+00:00\n");
  }

  private void importEvent(String day) {
    palmares.callWith(event(day, "ann", "step", day + "T10:00:00Z"), "import", "-");
  }

  private PeriodId period(String day) {
    return palmares
        .get(Periods.class)
        .find(new BoardId("race"), new PeriodName(day))
        .orElseThrow()
        .id();
  }

  private long periods() {
    return palmares
        .get(JdbcClient.class)
        .sql("select count(*) from period")
        .query(Long.class)
        .single();
  }
}
