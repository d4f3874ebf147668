package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.testing.PalmaresTest;

/** The moves in a family of two boards, from the board files to what the command prints. */
@PalmaresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TiersCommandTest {
  private static final String TIER =
      """
      title: The league
      period: day
      clock: event
      actions:
        win: { points: 3, once-per: event }
      max-points: 1000
      family: { name: league, %s }
      """;

  private OwnApplication palmares;

  @BeforeAll
  void aSettledDay(@Autowired ApplicationContext tests, @TempDir Path jobs, @TempDir Path archive)
      throws IOException {
    Files.writeString(jobs.resolve("gold.yml"), TIER.formatted("tier: 1, relegate: 1"));
    Files.writeString(jobs.resolve("silver.yml"), TIER.formatted("tier: 2, promote: 1"));
    palmares = new OwnApplication(tests, jobs, archive);
    String events = win("1", "ann", "gold") + win("2", "bob", "gold") + win("3", "cid", "silver");
    palmares.callWith(events, "import", "-");
    palmares.call("close", "gold", "2025-03-01");
  }

  @AfterAll
  void stop() {
    palmares.close();
  }

  private static String win(String hour, String member, String board) {
    return ("{\"id\":\"%s\",\"member\":\"%s\",\"action\":\"win\",\"board\":\"%s\","
            + "\"occurredAt\":\"2025-03-01T0%1$s:00:00Z\"}\n")
        .formatted(hour, member, board);
  }

  @Test
  void itShowsMovesAndUnsettledBoards() {
    Called before = palmares.call("tiers", "league");
    assertThat(before.out()).containsSubsequence("bob", "down", "silver");
    assertThat(before.err()).contains("silver 2025-03-01 is not settled yet");
    assertThat(before.exitCode()).isEqualTo(1);

    palmares.call("close", "silver", "2025-03-01");
    Called after = palmares.call("tiers", "league", "2025-03-01");
    assertThat(after.exitCode()).isZero();
    assertThat(after.out())
        .containsSubsequence(
            "tier", "board", "place", "member", "points", "direction", "to tier", "to board")
        .containsSubsequence(
            "gold", "bob", "down", "2", "silver", "silver", "cid", "up", "1", "gold")
        .doesNotContain("ann");
    assertThat(palmares.call("verify").exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "leage  |            | there is no family 'leage'; did you mean 'league'?",
        "league | 2024-01-01 | no board of 'league' has settled 2024-01-01",
        "league | never      | no board of 'league' has settled never"
      })
  void unknownNamesAreReported(String family, String period, String message) {
    Called called =
        period == null ? palmares.call("tiers", family) : palmares.call("tiers", family, period);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(message);
  }
}
