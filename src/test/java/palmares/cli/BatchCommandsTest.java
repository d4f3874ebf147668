package palmares.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands about many periods: lists, amend --exclusion, approve --batch, ranges, pause. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BatchCommandsTest extends OnOwnApplication {
  @Override
  Map<String, String> boards() {
    return Map.of("staffed", RACE.replace("hop:", "skip:") + "exclusions: [staff]\n");
  }

  private String prepared = "";

  @BeforeAll
  void twoSettledDays() {
    settle("2026-03-07");
    settle("2026-03-08");
  }

  private Called ok(String... call) {
    Called called = palmares.call(call);
    assertThat(called.exitCode()).as(called.err()).isZero();
    return called;
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  @Test
  @Order(1)
  void oneApprovalPostsWhatOneExclusionTouches() {
    Called excluded =
        palmares.callAs("ann", "exclude", "bob", "--level", "hidden", "--reason", "two accounts");
    assertThat(excluded.out()).contains("2 settled periods were ranked without this exclusion");
    String exclusion = found("palmares amend --exclusion (\\d+)", excluded.out());

    Called amended = palmares.callAs("cid", "amend", "--exclusion", exclusion, "--reason", "out");
    assertThat(amended.exitCode()).as(amended.err()).isEqualTo(3);
    prepared = found("batch (\\d+): 2 done", amended.out());
    assertThat(amended.out())
        .contains("2 outcomes await a decision in batch " + prepared)
        .contains("race: members get 100 credits and owe 200, in 2 periods");
    assertThat(ok("tasks", "--batches").out())
        .as("the members of exclusions are named")
        .contains("exclusion " + exclusion + " of bob");

    Called shown = palmares.callAs("dan", "approve", "--batch", prepared);
    assertThat(shown.exitCode()).isEqualTo(3);
    String digest = found("--expect ([0-9a-f]{8})", shown.err());
    Called wrong = approve("00000000", "x");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err())
        .contains(
            "has changed since it was shown with the digest 00000000, which is now " + digest);
    assertThat(approve("1f2e", "x").err()).contains("eight hexadecimal digits");

    Called approved = approve(digest, "fine");
    assertThat(approved.exitCode()).as(approved.err()).isZero();
    String approval = found("batch (\\d+): 2 done\n", approved.out());
    String entries = ok("audit", "--format", "csv").out();
    assertThat(entries)
        .contains("amend-batch,,local:cid,out,\"{\"\"exclusions\"\":[" + exclusion)
        .containsPattern(
            "approve-batch,batch %s,local:dan,fine,.*\"\"digest\"\":\"\"%s"
                .formatted(prepared, digest))
        .contains("\"\"currency\"\":\"\"credits\"\"");
    Called again = approve(digest, "fine");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out()).as("the first answer").isEqualTo(approved.out());
    assertThat(ok("audit", "--format", "csv").out()).isEqualTo(entries);
    Called other = approve("00000000", "fine");
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains("batch " + prepared + " has nothing to decide on");
    assertThat(ok("tasks").out()).contains("approve", "exclusion " + exclusion, "2 done");
    assertThat(ok("tasks", approval, "--format", "csv").out()).contains("1,race,2026-03-07,done,2");
    assertThat(palmares.callAs("dan", "tasks", "resume", approval).err())
        .contains("batch " + approval + " has nothing left to do: 2 done");
    assertThat(ok("verify").lastLine()).endsWith("0 missing, 0 extra, 0 unequal");
  }

  private Called approve(String digest, String reason) {
    return palmares.callAs(
        "dan", "approve", "--batch", prepared, "--expect", digest, "--reason", reason);
  }

  @Test
  @Order(2)
  void aRunIsShownWithItsSteps() {
    Called called = ok("runs", "race", "2026-03-08", "--steps");
    assertThat(called.out())
        .containsPattern("seal +\\| .* 2 \\| +2 \\| members")
        .containsPattern("drain +\\| .* events")
        .containsPattern("pay +\\| .* payments");
  }

  @Test
  @Order(3)
  void listsAreCreatedFilledShownAndEmptied() throws IOException {
    assertThat(ok("lists").out()).isEqualTo("no lists\n");
    ok("lists", "create", "staff", "--reason", "they test");
    assertThat(palmares.call("lists", "create", "staff", "--reason", "x").err())
        .contains("the list 'staff' exists already");
    assertThat(
            palmares
                .call("lists", "add", "stuff", "ann", "--level", "hidden", "--reason", "x")
                .err())
        .contains("there is no list 'stuff'; the lists are: staff");
    ok("lists", "add", "staff", "ann", "--level", "no-prize", "--reason", "joined");
    Path file = folder.resolve("staff.csv");
    Files.writeString(file, "member,level,reason\nzoe,hidden,x\n");
    assertThat(
            palmares
                .call("lists", "add", "staff", "--file", file.toString(), "--reason", "x")
                .err())
        .contains("line 2, column member: there is no member 'zoe'");
    ok("lists", "add", "staff", "--file", file.toString(), "--reason", "x", "--allow-unknown");
    Files.write(file, "member,level,reason\nzoé,hidden,x\n".getBytes(ISO_8859_1));
    assertThat(
            palmares
                .call("lists", "add", "staff", "--file", file.toString(), "--reason", "x")
                .err())
        .contains("staff.csv is no text in UTF-8: save it as such");
    assertThat(ok("lists").out()).containsPattern("staff +\\| +2 ");
    assertThat(ok("lists", "show", "staff").out()).contains("staff", "ann", "zoe");
    ok("lists", "remove", "staff", "zoe", "--reason", "left");
    assertThat(ok("lists", "show", "staff").out()).doesNotContain("zoe");
    assertThat(ok("audit").out()).contains("create-list", "list:staff");
  }

  @Test
  @Order(4)
  void aPausedBoardIsNotClosedUntilItIsResumed() {
    palmares.callWith(event("p", "ann", "step", "2026-03-09T10:00:00Z"), "import", "-");
    ok("pause", "race", "--reason", "checked");
    assertThat(ok("pause").out()).contains("race", "checked");
    Called due = palmares.call("close", "--due");
    assertThat(due.err()).contains("skipped, since the board is paused: 1 due period of race");
    Called refused = palmares.call("close", "race", "2026-03-09");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("\n  palmares resume race --reason TEXT\n");
    Called batch = palmares.call("close", "race", "--from", "2026-03-09", "--reason", "now");
    assertThat(batch.exitCode()).isEqualTo(1);
    assertThat(batch.out()).contains("refused race 2026-03-09: board race is paused");

    ok("resume", "race", "--reason", "fine");
    Called closed = ok("close", "race", "--from", "2026-03-09", "--reason", "now");
    assertThat(closed.out()).matches("batch \\d+: 1 done\n");
    assertThat(palmares.call("resume", "race", "--reason", "again").err())
        .contains("board race is not paused");
  }

  @ParameterizedTest
  @Order(5)
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          amend --exclusion 99 --reason x        | there is no exclusion 99
          amend race --exclusion 1 --reason x    | --exclusion takes no BOARD, PERIOD
          amend race --reason x                  | missing: BOARD, PERIOD
          approve --batch 99 --reason x          | there is no batch 99
          approve race --batch 1 --reason x      | --batch takes no BOARD, PERIOD
          approve --batch BATCH --reason x       | has nothing to decide on: 2 done
          reject --batch BATCH --reason x        | has nothing to decide on: 2 done
          close --all --state paid --reason x    | a period that is 'paid' cannot be closed
          close --from 2026-03-01                | missing: --reason=TEXT
          restart race 2026-03-08 --state failed --reason x | a range takes no PERIOD
          close --state open --reason x          | name what it is about in 'board', or set 'all'
          restart --all --state failed --reason x | there is no period to restart in: all boards
          tasks 99                             | there is no batch 99
          tasks --state done                   | --state needs TASK
          tasks BATCH --state gone             | not 'gone'; did you mean 'done'?
          lists add staff --reason x             | name MEMBER --level LEVEL or --file FILE
          pause race                             | name both BOARD and --reason, or neither
          pause rase --reason x                  | there is no board 'rase'; did you mean 'race'?
          """)
  void badInputIsReported(String call, String message) {
    Called called = palmares.call(call.replace("BATCH", prepared).split(" +"));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(message);
  }
}
