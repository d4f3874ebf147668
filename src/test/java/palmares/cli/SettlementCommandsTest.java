package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The commands that approve, reject, restart and amend. */
class SettlementCommandsTest extends OnOwnApplication {
  private static final String VETTED =
      """
      title: The vetted race
      period: day
      clock: event
      actions: { vote: 1 }
      max-points: 1000
      rewards:
        - { rule: first, ranks: { 1: 100, 2: 50 } }
      payout: { approval: two-person }
      """;

  @Override
  Map<String, String> boards() {
    return Map.of("vetted", VETTED);
  }

  private void vote(String day) {
    palmares.callWith(
        event(day + "-1", "ann", "vote", day + "T10:00:00Z")
            + event(day + "-2", "bob", "vote", day + "T09:00:00Z"),
        "import",
        "-");
  }

  private Called call(String line, String... more) {
    var words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(Arrays.asList(more));
    return palmares.call(words.toArray(String[]::new));
  }

  private Called callAs(String user, String line) {
    return palmares.callAs(user, line.split(" "));
  }

  private long transfers() {
    return palmares
        .get(JdbcClient.class)
        .sql("select count(*) from transfer")
        .query(Long.class)
        .single();
  }

  @Test
  void aHeldClosingIsPaidOnceWhenASecondPersonApproves() {
    vote("2026-02-01");
    long before = transfers();
    Called held = call("close vetted 2026-02-01");
    assertThat(held.exitCode()).isEqualTo(3);
    assertThat(held.out())
        .contains(
            "vetted 2026-02-01 is held for approval, and nothing is paid: ",
            "palmares approve vetted 2026-02-01 --expect ");
    Called due = call("close --due");
    assertThat(due.exitCode()).isZero();
    Called preview = call("preview vetted 2026-02-01");
    assertThat(preview.exitCode()).isEqualTo(3);
    assertThat(preview.out())
        .contains("it is held; if a person approves it, it will pay")
        .contains("first: 150 credits to 2 members");
    Called unseen = call("approve vetted 2026-02-01 --reason fine");
    assertThat(unseen.exitCode()).isEqualTo(2);
    String approval =
        "approve vetted 2026-02-01 --reason fine --expect "
            + unseen.err().replaceAll("(?s).*--expect (\\w+).*", "$1");
    assertThat(held.out()).contains(approval.replaceAll(".*--expect", "--expect"));
    Called mine = call(approval);
    assertThat(mine.exitCode()).isEqualTo(2);
    assertThat(mine.err()).contains("another person must approve");
    assertThat(transfers()).isEqualTo(before);
    Called forbidden =
        palmares.callAlone((approval + " -D palmares.security.local-approvals=false").split(" "));
    assertThat(forbidden.exitCode()).isEqualTo(2);
    assertThat(forbidden.err()).contains("leaves approvals to those who sign in");
    Called first = callAs("kim", approval);
    assertThat(first.exitCode()).isEqualTo(3);
    assertThat(first.out()).contains("local:kim approved it; another person must approve it too");
    Called repeated = callAs("kim", approval);
    assertThat(repeated.exitCode()).isEqualTo(3);
    assertThat(repeated.out())
        .contains("vetted 2026-02-01 was already approved by local:kim at ")
        .contains("another person must approve it too");
    Called approved = callAs("zoe", approval);
    assertThat(approved.exitCode()).isZero();
    assertThat(approved.out()).contains("vetted 2026-02-01 is approved and settled");
    assertThat(transfers()).isEqualTo(before + 2);
    String entries = call("audit vetted 2026-02-01").out();
    for (String person : List.of("zoe", "kim")) {
      Called again = callAs(person, approval);
      assertThat(again.exitCode()).as(again.err()).isZero();
      assertThat(again.out())
          .contains("vetted 2026-02-01 was already approved by local:" + person + " at ")
          .contains("and is paid; nothing was changed");
    }
    assertThat(transfers()).isEqualTo(before + 2);
    assertThat(call("audit vetted 2026-02-01").out()).isEqualTo(entries);
    Called stranger = callAs("dan", approval);
    assertThat(stranger.exitCode()).isEqualTo(2);
    assertThat(stranger.err()).contains("it was approved by local:zoe");
    Called other = callAs("zoe", approval.replaceAll("\\w+$", "00000000"));
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains("it was approved by local:zoe");
    Called malformed = callAs("zoe", approval + "f");
    assertThat(malformed.exitCode()).isEqualTo(2);
    assertThat(malformed.err()).contains("eight hexadecimal digits such as 5e6f7a8b, not '");
    assertThat(call("manifest vetted 2026-02-01").out())
        .contains("decided-by: local:zoe\n", "verdict-reason: fine\n", "sha-256: ");
    assertThat(call("preview vetted 2026-02-01").out()).contains("it has paid");
    assertThat(call("verify vetted 2026-02-01").exitCode()).isZero();
  }

  @Test
  void aRejectedClosingIsNotPaidUntilItIsRestartedAndApproved() {
    vote("2026-02-02");
    String rejected = call("close vetted 2026-02-02").out();
    rejected = rejected.replaceAll("(?s).*--expect (\\w+).*", "$1");
    assertThat(call("restart vetted 2026-02-02 --reason now").err())
        .contains("vetted 2026-02-02 is held for a person's approval: approve or reject it");
    String wrong = "reject vetted 2026-02-02 --reason bots --expect 00000000";
    assertThat(call(wrong).err())
        .contains("has changed since it was shown with the digest 00000000, which is now ")
        .contains(rejected, "  palmares preview vetted 2026-02-02\n");
    String rejection = "reject vetted 2026-02-02 --reason bots --expect " + rejected;
    assertThat(call(rejection).exitCode()).isZero();
    String entries = call("audit vetted 2026-02-02").out();
    assertThat(call(rejection).out())
        .contains("vetted 2026-02-02 was already rejected by ", "; nothing was changed");
    assertThat(call("audit vetted 2026-02-02").out()).isEqualTo(entries);
    assertThat(callAs("kim", rejection).exitCode()).isEqualTo(2);
    Called preview = call("preview vetted 2026-02-02");
    assertThat(preview.exitCode()).isEqualTo(3);
    assertThat(preview.out())
        .contains("it was rejected by ", ", so it pays nothing of\n", "  first: ")
        .contains("a restart computes it again")
        .doesNotContain("will pay", "a person must approve it");
    Called closed = call("close vetted 2026-02-02");
    assertThat(closed.exitCode()).isEqualTo(3);
    assertThat(closed.out()).contains("was rejected, and nothing is paid");
    Called again = call("restart vetted 2026-02-02 --reason again");
    assertThat(again.exitCode()).isEqualTo(3);
    Called unseen = callAs("zoe", "approve vetted 2026-02-02 --reason fine");
    assertThat(unseen.exitCode()).isEqualTo(2);
    assertThat(unseen.err()).contains("\n  palmares approve vetted 2026-02-02 --expect ");
    String digest = again.out().replaceAll("(?s).*--expect (\\w+).*", "$1");
    String approval = "approve vetted 2026-02-02 --reason fine --expect " + digest;
    Called first = callAs("zoe", approval);
    assertThat(first.exitCode()).isEqualTo(3);
    assertThat(first.out()).contains("local:zoe approved it; another person must approve it too");
    assertThat(callAs("kim", approval).exitCode()).isZero();
    assertThat(call("audit vetted 2026-02-02").out())
        .containsSubsequence("approve", "zoe", "fine", "restart", "again", "reject", "bots");
    Called settled = call("restart vetted 2026-02-02 --reason again");
    assertThat(settled.exitCode()).isEqualTo(2);
    assertThat(settled.err())
        .contains("is already settled: amend it", "\n  palmares amend vetted 2026-02-02 --reason");
  }

  @Test
  void anAmendmentShowsTheChangesAndIsPostedOnApproval() throws IOException {
    settle("2026-02-03");
    long before = transfers();
    Called asked = call("what-if race 2026-02-03 --points ann=500");
    assertThat(asked.exitCode()).isZero();
    assertThat(asked.out())
        .contains("ann", "2 > 1", "5 > 500", "50 > 100", "+50", "nothing was written");
    assertThat(call("what-if race 2026-02-03").out()).contains("nothing would change");
    Called amended = call("amend race 2026-02-03 --points ann=500 --reason miscounted");
    assertThat(amended.exitCode()).isEqualTo(3);
    assertThat(amended.out())
        .contains(
            "revision 2 of race 2026-02-03 compared with revision 1: 1 rise, 1 fall, 2 members"
                + " change",
            "members get 50 credits more, and were awarded 50 too much: taken from their accounts",
            "ann: rank 2 > 1, points 5 > 500, awarded 50 > 100 credits",
            "palmares approve race 2026-02-03 --");
    assertThat(transfers()).isEqualTo(before);
    assertThat(call("amend race 2026-02-03 --points ann=9 --reason more").err())
        .contains("revision 2 of race 2026-02-03 is not decided yet");
    assertThat(call("approve race 2026-02-03 --revision 1 --reason so").exitCode()).isEqualTo(2);
    String digest =
        call("approve race 2026-02-03 --revision 2 --reason so")
            .err()
            .replaceAll("(?s).*--expect (\\w+).*", "$1");
    assertThat(call("approve race 2026-02-03 --revision 2 --reason so --expect " + digest).out())
        .contains("race 2026-02-03 is amended: 2 transfers posted, and verified");
    assertThat(call("report race 2026-02-03").out()).containsSubsequence("ann", "500", "bob");
    assertThat(call("verify race 2026-02-03").exitCode()).isZero();

    Path rules = folder.resolve("right.yml");
    Files.writeString(rules, RACE.replace("2: 50", "2: 70"));
    Called other = call("amend race 2026-02-03 --reason table --rules", rules.toString());
    assertThat(other.out()).contains("bob", "50 > 70");
    digest = other.out().replaceAll("(?s).*--expect (\\w+).*", "$1");
    assertThat(call("reject race 2026-02-03 --reason no --expect " + digest).exitCode()).isZero();
    Files.writeString(rules, RACE.replace("hop: 1", "hop: 2"));
    assertThat(call("amend race 2026-02-03 --reason table --rules", rules.toString()).err())
        .contains("what actions are worth");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          approve race 2026-03-10 --reason x          | race 2026-03-10 is not held for approval: it is open
          amend race 2026-03-10 --reason x            | race 2026-03-10 cannot be amended: it is open
          what-if race 2026-03-10                     | race 2026-03-10 is not settled yet
          restart race 2026-03-10 --reason x          | cannot be closed yet
          manifest race 2026-03-10                    | revision 1 of race 2026-03-10 has no manifest
          runs race 2026-02-31                        | has no period '2026-02-31': its periods are named like
          runs race 2024-02-29                        | has no period '2024-02-29': it was never opened
          runs rase                                   | there is no board 'rase'; did you mean 'race'?
          runs race x/y                               | is no name of a period, such as 2026-W47
          approve race 2026-02-31 --reason x          | has no period '2026-02-31'
          approve race 2026-03-10                     | missing: --reason=TEXT
          reject race 2026-03-10 --reason x           | is not held for approval
          amend race 2026-03-10 --reason x --points a | must be like MEMBER=N
          amend race 2026-03-10 --reason x --top 0    | is 1 or more, not 0
          """)
  void refusalsAreReportedAndChangeNothing(String line, String message) {
    palmares.callWith(event("open-1", "ann", "hop", "2026-03-10T10:00:00Z"), "import", "-");
    long before = transfers();
    Called called = call(line);
    assertThat(called.exitCode()).as(called.out()).isEqualTo(2);
    assertThat(called.err()).contains(message);
    assertThat(transfers()).isEqualTo(before);
  }

  @Test
  void previewShowsWhatAnOpenPeriodWouldPay() {
    palmares.callWith(event("open-2", "cid", "step", "2026-03-10T11:00:00Z"), "import", "-");
    Called preview = call("preview race 2026-03-10");
    assertThat(preview.exitCode()).isZero();
    assertThat(preview.out())
        .contains("if it ended now, it would pay", "first: 1")
        .containsSubsequence("rank", "member", "credits", "cid", "100");
    Called lines = call("preview race 2026-03-10 --format csv --top 1");
    assertThat(lines.out())
        .isEqualTo(
            """
            period,rank,member,points,reachedAt,credits,award:first
            2026-03-10,1,cid,5,2026-03-10T11:00:00Z,100,100
            """);
    assertThat(lines.err()).contains("if it ended now, it would pay", "first: 1");
    assertThat(call("preview race 2026-03-10 --format json --top 1").out())
        .contains("\"member\":\"cid\"", "\"award:first\":100");
    assertThat(call("report race 2026-03-10").exitCode()).as("nothing is kept").isEqualTo(2);
  }
}
