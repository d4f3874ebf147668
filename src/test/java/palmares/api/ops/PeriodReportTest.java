package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.operations.report.FinalLine;
import palmares.platform.output.OutputFormat;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.payout.Sums;
import palmares.testing.Rules;

/** The columns of a palmarès for other programs. */
class PeriodReportTest {
  private static final Board INVITES =
      board(
          Rules.of("week")
              .with("durability: committed")
              .with("actions: { invite: 100 }")
              .with("invites: { action: invite }")
              .with(
                  "rewards: [ { rule: best, ranks: { 1: 50 } }, { rule: each, per: invite, credits:"
                      + " 2 } ]"));
  private static final Board GEMS =
      board(Rules.of("week").with("rewards: [ { rule: gems, currency: gems, ranks: { 1: 7 } } ]"));

  private static Board board(Rules rules) {
    return BoardFiles.parse(new BoardId("sheet"), rules.text());
  }

  private static FinalLine line(String member, String nickname, Map<String, Long> awards) {
    return new FinalLine(
        "2026-W47",
        1,
        1L,
        member,
        100,
        0,
        Instant.parse("2026-11-20T10:00:00Z"),
        null,
        nickname,
        "CODE",
        Sums.of("credits", 50),
        awards);
  }

  @Test
  void eachRewardRuleOfEachPeriodHasAColumn() throws IOException {
    assertThat(
            csv(
                List.of(INVITES, GEMS),
                line("ann", "Ann", Map.of("best", 50L, "gems", 7L)),
                line("bob", "Bob", Map.of())))
        .isEqualTo(
            """
            period,rank,member,points,reachedAt,credits,nickname,inviteCode,\
            award:best,award:each,award:gems
            2026-W47,1,ann,100,2026-11-20T10:00:00Z,50,Ann,CODE,50,,7
            2026-W47,1,bob,100,2026-11-20T10:00:00Z,50,Bob,CODE,,,
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"})
  void aTextThatASpreadsheetWouldRunGetsAnApostrophe(String member) throws IOException {
    assertThat(csv(List.of(GEMS), line(member, "x", Map.of()))).contains("'" + member);
    assertThat(raw(List.of(GEMS), line(member, "x", Map.of())))
        .contains(member)
        .doesNotContain("'" + member);
  }

  @Test
  void aNegativeNumberGetsNoApostrophe() throws IOException {
    assertThat(csv(List.of(GEMS), line("ann", "x", Map.of("gems", -7L)))).endsWith(",50,-7\n");
  }

  private static String csv(List<Board> rules, FinalLine... lines) throws IOException {
    return written(rules, List.of(lines), false);
  }

  private static String raw(List<Board> rules, FinalLine... lines) throws IOException {
    return written(rules, List.of(lines), true);
  }

  private static String written(List<Board> rules, List<FinalLine> lines, boolean raw)
      throws IOException {
    var out = new ByteArrayOutputStream();
    PeriodReport.columns(rules).write(OutputFormat.CSV, raw, out, "", lines::forEach);
    return out.toString(UTF_8);
  }
}
