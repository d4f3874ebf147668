package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The commands late, report --revision, ledger and explain, over a day that is amended. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AmendedPeriodCommandsTest extends OnOwnApplication {
  private static final String DAY = "2025-03-01";

  /** Bob is paid 100 and ann 50; then late hops of ann arrive, and the day is amended. */
  @BeforeAll
  void amendADay() {
    settle(DAY);
    settle("2025-03-02");
    palmares.callWith(
        event("late-1", "ann", "hop", DAY + "T11:00:00Z")
            + event("late-2", "cid", "hop", DAY + "T11:00:00Z"),
        "import",
        "-");
    palmares
        .get(JdbcClient.class)
        .sql(
            """
            insert into late_event (
              board, period, id, member, action, undo, quantity, occurred_at, arrived_at)
            values ('race', '2024-01-01', 'late-3', 'eve', 'hop', false, 1, now(), now())
            """)
        .update();
    palmares.callWith(event("open", "ann", "step", "2026-03-10T10:00:00Z"), "import", "-");
  }

  private Called ok(String... call) {
    Called called = palmares.callAs("ann", call);
    assertThat(called.exitCode()).as(called.err()).isZero();
    return called;
  }

  private Called asAnn(String... call) {
    Called called = palmares.callAs("ann", call);
    assertThat(called.exitCode()).as(called.err()).isZero();
    return called;
  }

  @Test
  @Order(1)
  void lateShowsWhatEachEventWouldHaveGivenAndTheRank() {
    assertThat(ok("late", "race", DAY, "--format", "csv").out())
        .contains("board,period,id,member,action,occurredAt,")
        .containsPattern("race,2025-03-01,late-1,ann,hop,2025-03-01T11:00:00Z,[^,]+,1,6,2,1,,")
        .containsPattern("race,2025-03-01,late-2,cid,hop,2025-03-01T11:00:00Z,[^,]+,1,1,,3,,");
    assertThat(ok("late").out()).contains("late-3", "its period was never opened");
    assertThat(ok("late", "race", "2024-01-01").out()).contains("late-3").doesNotContain("late-1");
    assertThat(ok("inbox", "race", "--format", "csv").out())
        .contains(
            "palmares late accept race 2025-03-01 --all --reason TEXT",
            "palmares late dismiss race 2024-01-01 --all --reason TEXT")
        .doesNotContain("late accept --all race 2024-01-01");
    assertThat(palmares.call("late", "--count", "1").err()).contains("and more: --after ");
  }

  @Test
  @Order(2)
  void aDecisionIsMadeOnceAndCountsFromTheNextAmendmentOn() {
    Called accepted = asAnn("late", "accept", "race", DAY, "late-1", "--reason", "slow");
    assertThat(accepted.lines())
        .containsExactly(
            "race 2025-03-01: 1 late event accepted",
            "they count once an amendment of race 2025-03-01 is approved",
            "  palmares amend race 2025-03-01 --reason TEXT");
    Called again = palmares.call("late", "accept", "race", DAY, "late-1", "--reason", "slow");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("was accepted by local:ann at ");
    asAnn("late", "dismiss", "race", DAY, "--all", "--reason", "no");
    assertThat(ok("late", "race", "--undecided").out())
        .contains("late-3")
        .doesNotContain("late-1", "late-2");
    Called refused =
        palmares.call("late", "accept", "race", "2024-01-01", "--all", "--reason", "x");
    assertThat(refused.err())
        .contains("was never opened, so its late events cannot count: dismiss them");
    assertThat(asAnn("late", "dismiss", "race", "2024-01-01", "--all", "--reason", "old").out())
        .contains("race 2024-01-01: 1 late event dismissed");
    assertThat(ok("inbox", "race").out()).doesNotContain("2024-01-01");

    Called amended = palmares.callAs("ann", "amend", "race", DAY, "--reason", "late hops");
    String digest = amended.out().replaceAll("(?s).*--expect (\\w+).*", "$1");
    Called approved =
        palmares.callAs(
            "bob", "approve", "race", DAY, "--reason", "looked at it", "--expect", digest);
    assertThat(approved.exitCode()).as(approved.err()).isZero();
    assertThat(ok("late", "race", DAY).out()).containsPattern("accepted +\\| +2 ");
  }

  @Test
  @Order(3)
  void everyRevisionCanBeRead() {
    assertThat(ok("report", "race", DAY, "--format", "csv").out())
        .isEqualTo(
            """
            period,rank,member,points,reachedAt,credits,award:first
            2025-03-01,1,ann,6,2025-03-01T11:00:00Z,100,100
            2025-03-01,2,bob,5,2025-03-01T09:00:00.500Z,50,50
            """);
    assertThat(ok("report", "race", DAY, "--revision", "1", "--format", "csv").out())
        .isEqualTo(
            """
            period,rank,member,points,reachedAt,credits,award:first
            2025-03-01,1,bob,5,2025-03-01T09:00:00.500Z,100,100
            2025-03-01,2,ann,5,2025-03-01T10:00:00Z,50,50
            """);
    assertThat(ok("report", "race", DAY, "--revision", "1").out())
        .contains("revision 1, which was amended later");
    assertThat(ok("report", "race", DAY, "--revisions").out())
        .containsSubsequence(
            "superseded", "in force", "local:ann", "late hops", "bob", "looked at it");
  }

  @Test
  @Order(4)
  void theLedgerIsReadByAccountAndByPeriod() {
    assertThat(ok("ledger", "period", "race", DAY, "--format", "csv").out())
        .isEqualTo(
            """
            revision,purpose,rule,currency,transfers,amount
            1,award,first,credits,2,150
            2,award,first,credits,1,50
            2,return,first,credits,1,50
            """);
    assertThat(palmares.call("ledger", "period", "race", DAY).err())
        .contains("members got 200 and gave back 50, so they keep 150");
    assertThat(ok("ledger", "account", "bob", "--format", "csv").lines())
        .hasSize(4)
        .anyMatch(
            line -> line.endsWith(",race,2025-03-02,1,first,award,house,rewards:race,100,,200"))
        .last()
        .asString()
        .endsWith(",race,2025-03-01,2,first,return,house,rewards:race,-50,,150");
    assertThat(palmares.call("ledger", "account", "bob", "--count", "1").err())
        .contains("2 earlier lines are left out");
    Called balance = ok("ledger", "balance", "--all", "--format", "csv");
    assertThat(balance.out())
        .contains("house,rewards:race,credits,1,-300\n", "member,ann,credits,1,150\n");
    assertThat(balance.err()).contains("credits: all balances sum to 0");
    assertThat(ok("ledger", "balance").out())
        .containsPattern("member \\| \\(all\\) +\\| credits +\\| +2 \\| +300");
  }

  @Test
  @Order(6)
  void explainShowsEventsRanksAwardsTransfersAndLateEvents() {
    assertThat(ok("explain", "ann", "race", DAY).out())
        .containsSubsequence(
            "ann in race 2025-03-01: The race",
            "scoring add, ranks unique, ties by time",
            "has not registered",
            "Events: 1",
            "points over the period, 5 at the most",
            "2025-03-01 10:00:00  step  applied",
            "Revision 1, superseded",
            "rank 2, place 2: 5 points, reached at 2025-03-01T10:00:00Z",
            "50 credits by first: rank 2: 50 for rank 2\n",
            "Revision 2, in force",
            "prepared by local:ann",
            "late hops",
            "rank 1, place 1: 6 points, reached at 2025-03-01T11:00:00Z",
            "corrected: late event late-1, +1 points, by local:ann: slow",
            "100 credits by first: rank 1: 100 for rank 1",
            "Transfers",
            "award  50 credits by first, from house rewards:race to member ann",
            "Late events",
            "late-1, hop, happened at 2025-03-01 11:00:00",
            "counts since revision 2; accepted by local:ann");
    assertThat(ok("explain", "cid", "race", DAY).out())
        .contains("no line on the board", "dismissed by local:ann");
    assertThat(ok("explain", "ann", "race", "2025-03-02").out())
        .contains("As many points: 1 other\n", "bob, place 1, is placed ahead: reached");
    assertThat(ok("explain", "ann", "race", DAY, "--events", "0").out())
        .contains("1 earlier event is left out: a larger number of events shows more");
  }

  @Test
  @Order(7)
  void explainShowsTheJournalOfAnOpenPeriod() {
    assertThat(ok("explain", "ann", "race", "2026-03-10").out())
        .contains("the period is not closed", "Now", "rank 1, place 1: 5 points");
  }

  @Test
  @Order(8)
  void explainWritesJsonAndHtml() throws IOException {
    assertThat(ok("explain", "ann", "race", DAY, "--format", "json").out())
        .contains(
            "\"member\" : \"ann\"", "\"status\" : \"superseded\"", "\"2025-03-01T10:00:00Z\"");
    assertThat(ok("explain", "ann", "race", DAY, "--format", "csv").out())
        .startsWith("part,revision,at,id,what,change,points,place,rank,amount,currency,why\n")
        .containsPattern("\nevent,,2025-03-01T10:00:00Z,[^,]+,step,5,5,,,,,applied\n")
        .contains(
            "\nresult,1,2025-03-01T10:00:00Z,,superseded,,5,2,2,,,",
            "\nprize,1,,,first,,,,,50,credits,",
            "\nresult,2,2025-03-01T11:00:00Z,,in force,,6,1,1,,,\"",
            "\nprize,2,,,first,,,,,100,credits,")
        .containsPattern(
            "\ntransfer,1,[^,]+,,award first,,,,,50,credits,from house rewards:race to member ann"
                + "\n")
        .containsPattern("\nlate event,,[^,]+,late-1,hop,,,,,,,counts since revision 2");
  }

  @ParameterizedTest
  @Order(9)
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          explain amn race 2025-03-01     | there is no member 'amn', on race 2025-03-01 or elsewhere; did you mean 'ann'?
          explain ann race 2025-03-0l     | named like 2026-11-20; did you mean '2025-03-0
          explain ann rase 2025-03-01     | there is no board 'rase'; did you mean 'race'?
          late rase                       | there is no board 'rase'
          late race 2023-01-01            | the board 'race' has no period '2023-01-01'
          late accept race 2025-03-02 x --reason y | race 2025-03-02 has no late event 'x'
          ledger account rewards:rase     | the ledger has no account 'rewards:rase'; did you mean 'rewards:race'?
          ledger period race 2023-01-01   | the board 'race' has no period '2023-01-01'
          report race 2025-03-01 --revision 9 | race 2025-03-01 has no revision 9, only 1, 2
          report race 2026-03-10 --revision 1 | race 2026-03-10 has no revision 1: it is open, and has none yet
          """)
  void unknownNamesAreReported(String call, String message) {
    Called called = palmares.call(call.split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).startsWith("palmares: ").contains(message);
    assertThat(called.out()).isEmpty();
  }
}
