package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Reports show what the scores of an adopted board have lost. */
class AdoptedReportTest extends OnOwnApplication {
  private static final String BOARD =
      """
      title: Theirs
      period: day
      adopt: { key: 'lb:{period}', encoding: points }
      retention: 1 day
      rewards: [{ rule: first, ranks: { 1: 100 } }]
      """;

  private static final String NOTE = "the order of 2 members in 1 group is not known";
  private static final String LATE =
      "1 entry was written to lb:2026-03-10 after the seal, and not paid";

  private Path jobs;

  @BeforeAll
  void settleADayOfAnotherProgram(@TempDir Path folder) throws IOException {
    jobs = folder;
    Files.writeString(jobs.resolve("lb.yml"), BOARD);
    assertThat(call("close", "--due").out()).startsWith("nothing is due");
    zadd(7, "ann");
    zadd(7, "zoe");
    zadd(5, "bob");
    palmares.advance(Duration.ofHours(13));
    assertThat(call("close", "--due").lastLine()).startsWith("settled 1 period ");
    zadd(1, "late");
    palmares.advance(Duration.ofDays(1));
    call("close", "--due");
  }

  private Called call(String... arguments) {
    return palmares.callUnder(jobs, arguments);
  }

  private void zadd(double score, String member) {
    try (RedisConnection redis = palmares.get(RedisConnectionFactory.class).getConnection()) {
      redis.zSetCommands().zAdd("lb:2026-03-10".getBytes(UTF_8), score, member.getBytes(UTF_8));
    }
  }

  @Test
  void aTableHasANoteThatNamesTheMembers() {
    assertThat(call("report", "lb", "2026-03-10").out())
        .contains("3 members")
        .contains(
            "note: %s\nnote: %s\n  places 1 to 2, 7 points, no time: zoe, ann\n"
                .formatted(NOTE, LATE));
    assertThat(call("report", "lb", "2026-03-11").out())
        .contains("0 members")
        .doesNotContain("note");
  }

  @Test
  void csvAndJsonHaveAColumn() {
    assertThat(call("report", "lb", "2026-03-10", "--format", "csv").out())
        .isEqualTo(
            """
            period,rank,member,points,reachedAt,credits,loss,award:first
            2026-03-10,1,zoe,7,,100,no-time,100
            2026-03-10,2,ann,7,,0,no-time,
            2026-03-10,3,bob,5,,0,,
            """);
    assertThat(call("report", "lb", "2026-03-10", "--format", "json").out())
        .contains(
            "\"points\":7,\"reachedAt\":null,\"credits\":100,",
            "\"loss\":\"no-time\",\"award:first\":100}")
        .contains(
            "\"points\":5,\"reachedAt\":null,\"credits\":0,\"loss\":null,\"award:first\":null}");
  }

  @Test
  void runsAndVerifyShowTheNote() {
    assertThat(call("runs", "lb").out()).contains("close-due", "the order of 2 members");
    assertThat(call("verify", "lb").out())
        .startsWith("note: lb 2026-03-10: %s\nnote: lb 2026-03-10: %s\n".formatted(NOTE, LATE))
        .endsWith("; 0 missing, 0 extra, 0 unequal\n");
  }

  @Test
  void aPeriodBeforeTheFirstServerIsNotAdopted() {
    Called called = call("close", "lb", "2026-03-09");
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("lb 2026-03-09 ended before a server first saw this board");
  }

  @Test
  void boardsShowsWhatIsAdopted() {
    assertThat(call("boards", "lb").out())
        .contains("adopts      lb:{period}\n              by points, which stores no time\n");
  }
}
