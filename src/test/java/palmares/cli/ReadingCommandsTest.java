package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.testing.Servers;

/** report, verify, runs and api-keys, over two settled days and an open one. */
class ReadingCommandsTest extends OnOwnApplication {
  private static final String CSV =
      """
      period,rank,member,points,reachedAt,credits,award:first
      2025-03-01,1,bob,5,2025-03-01T09:00:00.500Z,100,100
      2025-03-01,2,ann,5,2025-03-01T10:00:00Z,50,50
      2025-03-02,1,bob,5,2025-03-02T09:00:00.500Z,100,100
      2025-03-02,2,ann,5,2025-03-02T10:00:00Z,50,50
      """;

  @BeforeAll
  void settleTwoDays() {
    settle("2025-03-01");
    settle("2025-03-02");
    palmares.callWith(event("open", "ann", "step", "2026-03-10T10:00:00Z"), "import", "-");
  }

  @Test
  void aTableShowsThePeriodAndItsLines() {
    Called called = palmares.call("report", "race", "2025-03-01");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out())
        .contains("race 2025-03-01: The race")
        .contains("from 2025-03-01 00:00:00+00:00 to 2025-03-02 00:00:00+00:00 (UTC)")
        .contains("2 members")
        .containsSubsequence("rank", "member", "points", "reached at", "credits", "bob", "ann");
  }

  @Test
  void csvHasEveryPeriod() {
    assertThat(palmares.call("report", "race", "--all", "--format", "csv").out()).isEqualTo(CSV);
  }

  @Test
  void aRangeHasThePeriodsThatStartInIt() {
    assertThat(
            palmares
                .call("report", "race", "--from", "2025-03-02", "--format", "csv")
                .lines()
                .stream()
                .skip(1))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("2025-03-02,"));
    assertThat(palmares.call("report", "race", "--to", "2025-03-02", "--format", "csv").lines())
        .hasSize(3)
        .noneMatch(line -> line.startsWith("2025-03-02,"));
    assertThat(palmares.call("report", "race", "--from", "2025-03-03").err())
        .contains("the board 'race' has no settled period in that range");
  }

  @Test
  void aMemberIsShownOnAllBoards() {
    Called csv = palmares.call("member", "ann", "--format", "csv");
    assertThat(csv.lines().get(0)).startsWith("board,period,startsAt,revision,place,");
    assertThat(csv.lines().stream().skip(1).map(line -> line.substring(0, 15)))
        .containsSubsequence("race,2025-03-02", "race,2025-03-01");
    assertThat(palmares.call("member", "ann", "--count", "1", "--format", "csv").lines())
        .filteredOn(line -> line.startsWith("race,"))
        .hasSize(1);
  }

  @Test
  void aPayoutHasALineForEachMemberAndCurrency() {
    Called csv = palmares.call("ledger", "payout", "race", "2025-03-01", "--format", "csv");
    assertThat(csv.lines().get(0))
        .isEqualTo(
            "reference,member,currency,transfers,paid,takenBack,net,owed,writtenOff,restored,"
                + "postedAt");
    assertThat(csv.lines().subList(1, 3))
        .extracting(line -> line.substring(0, line.lastIndexOf(',')))
        .containsExactly(
            "race/2025-03-01/credits/ann,ann,credits,1,50,0,50,0,0,0",
            "race/2025-03-01/credits/bob,bob,credits,1,100,0,100,0,0,0");
    assertThat(csv.err()).contains("credits: members got 150 and gave back 0, so they keep 150");
    Called table = palmares.call("ledger", "payout", "race", "--count", "1");
    assertThat(table.out()).contains("race/../credits/", "ann", "100").doesNotContain("bob");
    assertThat(table.err()).contains("1 more line: a larger count shows more");
  }

  @Test
  void topLimitsThePlacesOfEachPeriod() {
    assertThat(palmares.call("report", "race", "--all", "--format", "csv", "--top", "1").lines())
        .hasSize(3)
        .noneMatch(line -> line.contains("ann"));
    assertThat(palmares.call("report", "race", "2025-03-01", "--top", "1").out())
        .contains("bob", "and 1 more")
        .doesNotContain("ann");
  }

  @Test
  void jsonIsAnArrayOfTheSameLines() {
    assertThat(palmares.call("report", "race", "2025-03-01", "--format", "json").out())
        .isEqualTo(
            """
            [
            {"period":"2025-03-01","rank":1,"member":"bob","points":5,\
            "reachedAt":"2025-03-01T09:00:00.500Z","credits":100,"award:first":100},
            {"period":"2025-03-01","rank":2,"member":"ann","points":5,\
            "reachedAt":"2025-03-01T10:00:00Z","credits":50,"award:first":50}
            ]
            """);
  }

  @Test
  void aFileIsWrittenCompletelyOrNotAtAll() throws IOException {
    Path file = folder.resolve("race.csv");
    assertThat(
            palmares
                .call("report", "race", "--all", "--format", "csv", "--out", file.toString())
                .out())
        .isEmpty();
    assertThat(file).hasContent(CSV);
    Path nowhere = folder.resolve("none").resolve("race.csv");
    Called failed = palmares.call("report", "race", "--all", "--out", nowhere.toString());
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err()).contains(nowhere + " cannot be written");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          report rase --all        | there is no board 'rase'; did you mean 'race'?
          report race 2025-W01     | the board 'race' has no period '2025-W01'
          report race 2026-03-10   | race 2026-03-10 is not settled yet: it is open, and due at
          report forever --all     | the board 'forever' has no settled period yet
          verify rase              | there is no board 'rase'
          verify race 2024-03-10   | the board 'race' has no period '2024-03-10'
          verify race 2026-03-10   | race 2026-03-10 is not settled yet
          runs rase                | there is no board 'rase'
          ledger payout race 2026-03-10 | race 2026-03-10 is not settled yet
          ledger payout race 2025-03-01 --revision 7 | race 2025-03-01 has posted no revision 7
          ledger payout --month 2026-13 | is not a month such as 2026-11
          month 2026-13            | is not a month such as 2026-11
          month 2026-11 --zone Mars | is not a time zone such as Europe/Berlin
          fame rase                | there is no board 'rase'
          member zoe               | there is no member 'zoe'
          member race zoe          | there is no member 'zoe'
          member race ann --after x | the board 'race' has no period 'x'
          api-keys revoke 00       | there is no key '00' in use
          """)
  void unknownNamesAreReported(String call, String message) {
    Called called = palmares.call(call.split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).startsWith("palmares: ").contains(message);
    assertThat(called.out()).isEmpty();
  }

  @Test
  void aBoardWithoutAFileCanBeReported() {
    Called called =
        palmares.callUnder(
            Path.of("jobs"), "report", "race", "2025-03-01", "--format", "csv", "--top", "1");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.lastLine()).contains("bob");
  }

  @Test
  void verifyCountsEverythingAndFindsNothing() {
    Called called = palmares.call("verify", "race");
    assertThat(called.exitCode()).isZero();
    assertThat(called.lastLine())
        .isEqualTo("verified: 2 periods, 4 lines, 4 payments;" + " 0 missing, 0 extra, 0 unequal");
    assertThat(palmares.call("verify", "race", "2025-03-02").lastLine())
        .startsWith("verified: 1 period, 2 lines");
  }

  @Test
  void verifyNamesDifferencesWithExitCode1() {
    var jdbc = palmares.get(JdbcClient.class);
    jdbc.sql("create table kept as select * from line where member = 'ann'").update();
    unguarded("delete from line where member = 'ann'");
    Called called = palmares.call("verify", "race", "2025-03-01");
    unguarded("insert into line select * from kept");
    jdbc.sql("drop table kept").update();
    assertThat(called.exitCode()).isEqualTo(1);
    assertThat(called.out()).contains("missing: race 2025-03-01: line of ann");
    assertThat(called.out()).contains("extra: race 2025-03-01: award of ann");
    assertThat(called.lastLine()).contains("; 1 missing, 1 extra, ");
  }

  private void unguarded(String sql) {
    var servers =
        new Servers(
            palmares.get(JdbcClient.class),
            palmares.get(RedisConnectionFactory.class),
            palmares.get(TransactionTemplate.class),
            palmares.get(DataSource.class));
    servers.unguarded(() -> servers.sql(sql));
  }

  @Test
  void aMembersRecordAndLinesAreShown() {
    assertThat(palmares.call("member", "race", "ann", "--top", "1").out())
        .contains(
            "periods:      2 of 2, 0 wins, 2 podiums",
            "best:         rank 2 in 2025-03-02, points 5 in 2025-03-02",
            "awards:       100 credits",
            "streak:       2 now, longest 2 from 2025-03-01 to 2025-03-02",
            "in the top 1: 0 now, longest 0")
        .containsSubsequence("2025-03-02", "2025-03-01");
    Called latest = palmares.call("member", "race", "ann", "--count", "1", "--format", "csv");
    assertThat(latest.out())
        .isEqualTo(
            """
            period,startsAt,revision,place,rank,members,points,thenBy,reachedAt,credits,\
            otherPrizes
            2025-03-02,2025-03-02T00:00:00Z,1,2,2,2,5,0,2025-03-02T10:00:00Z,50,
            """);
    assertThat(latest.err()).contains("--after 2025-03-02");
    assertThat(
            palmares
                .call("member", "race", "ann", "--after", "2025-03-02", "--format", "csv")
                .lastLine())
        .startsWith("2025-03-01,");
    assertThat(palmares.call("member", "race", "bob", "--record", "--format", "json").out())
        .contains("\"wins\":2", "\"bestRank\":1", "\"streak\":2", "\"credits\":200");
  }

  @Test
  void theHallOfFameRanksTheMembersOfABoard() {
    assertThat(palmares.call("fame", "race", "--format", "csv").out())
        .isEqualTo(
            """
            most,currency,rank,member,number,period
            wins,,1,bob,2,
            podiums,,1,ann,2,
            podiums,,1,bob,2,
            awards,credits,1,bob,200,
            awards,credits,2,ann,100,
            points,,1,ann,5,2025-03-01
            points,,1,bob,5,2025-03-01
            """);
  }

  @Test
  void aMonthShowsSumsAndPeriods() {
    assertThat(palmares.call("month", "2026-03", "--format", "csv").out())
        .isEqualTo(
            """
            board,currency,outcomes,paid,takenBack,net,owed,writtenOff,restored,afterDebts,\
            received,withheld
            race,credits,2,300,0,300,0,0,0,300,,
            (all),credits,2,300,0,300,0,0,0,300,,
            """);
    assertThat(palmares.call("month", "2026-03", "--periods", "--format", "csv").out())
        .isEqualTo("board,closed,amended,held,unsettled\nrace,2,0,0,0\n");
    assertThat(palmares.call("month", "2025-03").out())
        .contains("nothing was paid", "no period closed");
  }

  @Test
  void runsListsTheLatestRunFirst() {
    assertThat(palmares.call("runs").out())
        .containsSubsequence("2025-03-02", "settled", "2025-03-01", "settled");
    assertThat(palmares.call("runs", "--count", "1").out()).doesNotContain("2025-03-01 ");
    assertThat(palmares.call("runs", "forever").out()).isEqualTo("no runs\n");
  }

  @Test
  void aKeyIsCreatedListedAndRevoked() {
    Called made = palmares.call("api-keys", "create", "--name", "shop", "--board", "race");
    assertThat(made.out()).matches("pal_\\w+_[\\w-]+\n");
    assertThat(made.err())
        .contains("'shop' is writer, on the boards: race, for the operations: all", "keep it now");
    String id = made.out().split("_")[1];
    assertThat(palmares.call("api-keys", "list", "--format", "csv").out())
        .startsWith("id,name,roles,boards,operations,owner,createdAt,expiresAt,revokedAt,etag\n");
    assertThat(palmares.call("people", "list", "--format", "json").out()).startsWith("[");
    Called listed = palmares.call("api-keys", "list");
    assertThat(listed.out()).contains(id, "shop", "race").doesNotContain(made.out().strip());
    assertThat(palmares.call("api-keys", "revoke", id).out()).isEqualTo("revoked " + id + "\n");
    assertThat(palmares.call("api-keys", "revoke", id).exitCode()).isEqualTo(2);
    Called unknown = palmares.call("api-keys", "create", "--name", "x", "--board", "nope");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("there is no board 'nope'");
    assertThat(palmares.call("api-keys", "create", "--name", "").err())
        .contains("a key's name must not be empty");
  }

  @Test
  void boardsCheckShowsTheBridgingPeriodAndChangesNothing(@TempDir Path edited) throws IOException {
    String monthly = RACE.replace("period: day", "period: month");
    Files.writeString(edited.resolve("race.yml"), monthly);
    String periods = "select string_agg(name, ' ' order by starts_at) from period";
    String before = palmares.get(JdbcClient.class).sql(periods).query(String.class).single();

    assertThat(palmares.callUnder(edited, "boards", "race", "--from-database").out())
        .containsSubsequence(
            "2026-03-10  2026-03-10 00:00:00+00:00  2026-03-11 00:00:00+00:00",
            "2026-03     2026-03-11 00:00:00+00:00  2026-04-01 00:00:00+00:00",
            "2026-04     2026-04-01 00:00:00+00:00  2026-05-01 00:00:00+00:00",
            "2026-03-10 keeps its boundaries although the calendar or zone has changed",
            "2026-03 bridges to this calendar: it begins where the previous period ends");
    assertThat(palmares.get(JdbcClient.class).sql(periods).query(String.class).single())
        .isEqualTo(before);
  }

  /** It would pay the prizes of its season again, and is held then. */
  @Test
  void boardsCheckNamesAPeriodThatNoFileNames(@TempDir Path jobs) throws IOException {
    String season =
        RACE.replace(
            "period: day",
            """
            period: seasons
            seasons: [{ name: 2026-03-10, from: 2026-03-09, to: 2026-03-15 }]
            """);
    Files.writeString(jobs.resolve("race.yml"), season);
    assertThat(palmares.callUnder(jobs, "boards", "check").err()).isEmpty();
    Called checked = palmares.callUnder(jobs, "boards", "check", "--from-database");
    assertThat(checked.exitCode()).isZero();
    assertThat(checked.err())
        .startsWith(
            "race: the rest of 2026-03-10, from 2026-03-11T00:00:00Z to 2026-03-16T00:00:00Z,"
                + " is the period 2026-03-10.2, which the file does not name.");
  }

  /** A closing would only say it once the board's first period has ended. */
  @Test
  void boardsCheckNamesTheListsThatDoNotExist(@TempDir Path jobs) throws IOException {
    Files.writeString(jobs.resolve("staffed.yml"), RACE + "exclusions: [staff]\n");
    Called alone = palmares.callUnder(jobs, "boards", "check");
    assertThat(alone.out()).isEqualTo("1 board is valid\n");
    assertThat(alone.exitCode()).isZero();
    assertThat(alone.err())
        .startsWith("staffed.yml: the board 'staffed' refers to the list 'staff'.")
        .contains("boards check --from-database", "palmares lists create staff --reason TEXT");
    Called missing = palmares.callUnder(jobs, "boards", "check", "--from-database");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.out()).isEmpty();
    assertThat(missing.err())
        .isEqualTo(
            "the board 'staffed' refers to the list 'staff', which does not exist, so its closings"
                + " will stop\n  palmares lists create staff --reason TEXT\n");
    palmares.call("lists", "create", "staff", "--reason", "they work here");
    Called there = palmares.callUnder(jobs, "boards", "check", "--from-database");
    assertThat(there.err()).isEmpty();
    assertThat(there.exitCode()).isZero();
  }
}
