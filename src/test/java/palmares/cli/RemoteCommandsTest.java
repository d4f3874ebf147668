package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.ops.Listing;
import palmares.api.roles.Role;
import palmares.cli.terminal.Terminal;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.rules.board.MemberId;
import palmares.testing.Api;
import tools.jackson.databind.json.JsonMapper;

/** The runbook from elsewhere: each command names a server, and has an API key. */
class RemoteCommandsTest extends OnOwnApplication {
  private static final String SETTLED = "2025-03-01";

  private static final String CHECKED =
      """
      title: Checked by two
      period: day
      clock: event
      actions: { vote: 5 }
      max-points: 1000
      rewards:
        - { rule: first, ranks: { 1: 100, 2: 50 } }
      payout: { approval: two-person }
      """;

  private String url = "";
  private String token = "";
  private String adminToken = "";

  @Override
  Map<String, String> boards() {
    return Map.of("checked", CHECKED);
  }

  @BeforeAll
  void serve() {
    url = palmares.serve();
    token =
        Api.ownKey(palmares.get(ApiKeys.class), "ops", "local:test", Role.OPERATOR, Role.APPROVER);
    adminToken =
        palmares
            .get(ApiKeys.class)
            .create(new NewKey("root", Set.of(Role.ADMIN), Set.of(), null), "local:test", "test");
    settle(SETTLED);
  }

  /** Calls a command that must not start the application. */
  private Called remote(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", url, "--token", token));
    return Called.alone(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "periods race",
        "periods race 2025-03-01",
        "report race 2025-03-01",
        "report race --all",
        "report race 2025-03-01 --revisions",
        "report race 2025-03-01 --revision 1",
        "manifest race 2025-03-01",
        "member race ann",
        "member ann",
        "member ann --count 1",
        "member race ann --record --top 1",
        "fame race --count 1",
        "month 2026-03",
        "month 2026-03 --periods --zone Asia/Tokyo",
        "preview race 2025-03-01",
        "runs race",
        "audit",
        "exclusions --all",
        "exclusions --board race --period 2025-03-01",
        "exclusions --board race --period 2025-03-01 --revision 1",
        "late",
        "ledger balance",
        "ledger balance --all",
        "ledger account ann",
        "ledger period race 2025-03-01",
        "ledger payout race 2025-03-01 --count 1",
        "ledger payout race 2025-03-01 --revision 1",
        "ledger payout race --from 2025-03-01 --to 2025-03-02",
        "ledger payout --month 2026-03 --zone Asia/Tokyo",
        "report race --from 2025-03-01 --to 2025-03-02",
        "verify --history",
        "inbox",
        "tasks",
        "lists",
        "lists list",
        "pause",
        "outbox",
        "outbox --attempts --failed --count 5",
        "memory race",
        "journal quarantine",
        "what-if race 2025-03-01 --without ann"
      })
  void aServerAnswersAKeyAsTheUserOfItsMachine(String command) {
    for (String format : List.of("table", "csv", "json")) {
      String[] words = (command + " --format " + format).split(" ");
      Called here = palmares.call(words);
      Called there = remote(words);
      assertThat(there.exitCode()).as(there.err()).isEqualTo(here.exitCode());
      assertThat(there.out()).isEqualTo(here.out()).isNotEmpty();
      assertThat(there.err()).isEqualTo(here.err());
    }
  }

  /** What a command costs is what it loads. */
  @Test
  void aCommandStartsNoSpring() throws IOException, InterruptedException {
    var java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load",
            "-cp",
            System.getProperty("java.class.path"),
            "palmares.Palmares");
    for (String call : List.of("close race 2025-03-01", "runs --format csv", "periods nowhere")) {
      var command = new ArrayList<>(java);
      command.addAll(List.of(call.split(" ")));
      command.addAll(List.of("--url", url, "--token", token));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      List<String> printed =
          new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
      assertThat(process.waitFor()).isEqualTo(call.contains("nowhere") ? 2 : 0);
      assertThat(printed.stream().filter(line -> line.contains("[class,load]")))
          .hasSizeBetween(1_000, 2_500)
          .noneMatch(line -> line.contains("springframework.beans"))
          .noneMatch(line -> line.contains("jackson.databind"));
    }
  }

  @Test
  void aResultGoesIntoAFile(@TempDir Path files) throws IOException {
    Path file = files.resolve("report.csv");
    Called called = remote("report", "race", SETTLED, "--format", "csv", "--out", file.toString());
    assertThat(called.exitCode()).isZero();
    assertThat(file).content().startsWith("period,rank,member,").contains(SETTLED + ",1,bob,5,");
  }

  @Test
  void aSpreadsheetIsTheSameFromAServer(@TempDir Path files) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (String where : List.of("here", "there")) {
      Path file = files.resolve(where);
      String[] words = {"report", "race", SETTLED, "--format", "xlsx", "--out", file.toString()};
      Called called = where.equals("here") ? palmares.call(words) : remote(words);
      assertThat(called.exitCode()).as(called.err()).isZero();
      try (var workbook = new ReadableWorkbook(file.toFile())) {
        rows.add(
            workbook.getFirstSheet().read().stream()
                .flatMap(row -> row.stream().map(cell -> cell == null ? "" : cell.getText()))
                .toList());
      }
    }
    assertThat(rows.get(0)).contains("reachedAt (UTC)", "bob", "total", "150");
    assertThat(rows.get(1)).isEqualTo(rows.get(0));
  }

  @Test
  void aSpreadsheetIsNotPrintedOnATerminal() {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int exitCode =
        Cli.run(
            new Terminal(
                InputStream.nullInputStream(),
                new PrintStream(out),
                new PrintStream(err),
                true,
                true),
            Called.NOTHING,
            Called.CLOCK,
            "report",
            "race",
            SETTLED,
            "--format",
            "xlsx");
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--out FILE");
    assertThat(out.size()).isZero();
  }

  @Test
  void aClosingIsFollowedToItsEnd() {
    importEvent("2025-03-02", "ann");
    Called dry = remote("close", "race", "2025-03-02", "--dry-run");
    assertThat(dry.exitCode()).isZero();
    assertThat(dry.out()).contains("race 2025-03-02 is open, and would be closed", "100 credits");
    assertThat(remote("periods", "race", "2025-03-02").out()).contains("open");

    Called closed = remote("close", "race", "2025-03-02");
    assertThat(closed.exitCode()).isZero();
    assertThat(closed.out()).startsWith("settled race 2025-03-02: 1 member, in ");
    assertThat(closed.err()).containsSubsequence("seal", "drain", "fill", "pay");
    assertThat(remote("close", "race", "2025-03-02").out()).contains("nothing was changed");
  }

  @Test
  void everythingThatIsDueIsClosed() {
    importEvent("2025-03-03", "ann");
    importEvent("2025-03-04", "ann");
    assertThat(remote("close", "--due", "--dry-run").out())
        .contains("periods would be closed", "race 2025-03-03", "race 2025-03-04");
    Called closed = remote("close", "--due");
    assertThat(closed.exitCode()).isZero();
    assertThat(closed.out()).startsWith("settled 2 periods");
    assertThat(remote("close", "--due").out()).startsWith("nothing is due");
  }

  /** The digest that a command printed. */
  private static String digest(Called shown) {
    return (shown.out() + shown.err()).replaceAll("(?s).*--expect (\\w+).*", "$1");
  }

  @Test
  void twoPeopleApproveAndTheCallerIsWhoTheServerSays() {
    vote("2025-03-05");
    Called held = palmares.callAs("carl", "close", "checked", "2025-03-05");
    assertThat(held.exitCode()).isEqualTo(3);
    String digest = digest(held);
    Called own =
        palmares.callAs(
            "carl", "approve", "checked", "2025-03-05", "--reason", "mine", "--expect", digest);
    assertThat(own.exitCode()).isEqualTo(2);
    assertThat(own.err()).contains("another person must approve");
    Called early = remote("approve", "checked", "2025-03-05", "--reason", "right", "--dry-run");
    assertThat(early.out()).contains("is still held, and nothing is paid", "another person must");
    assertThat(remote("periods", "checked", "2025-03-05").out()).contains("held");
    Called one =
        palmares.callAs(
            "kim", "approve", "checked", "2025-03-05", "--reason", "fine", "--expect", digest);
    assertThat(one.exitCode()).as(one.err()).isEqualTo(3);
    Called dry = remote("approve", "checked", "2025-03-05", "--reason", "right", "--dry-run");
    assertThat(dry.out()).contains("would be approved and paid", "100 credits");
    Called unseen = remote("approve", "checked", "2025-03-05", "--reason", "right");
    assertThat(unseen.exitCode()).isEqualTo(2);
    assertThat(digest(unseen)).isEqualTo(digest);
    Called second =
        remote("approve", "checked", "2025-03-05", "--reason", "right", "--expect", digest);
    assertThat(second.exitCode()).as(second.err()).isZero();
    assertThat(second.out()).contains("checked 2025-03-05 is approved and settled");
    assertThat(remote("audit", "checked", "2025-03-05", "--format", "csv").out())
        .contains("approve,checked 2025-03-05 revision 1,key:ops,right");
    assertThat(remote("report", "checked", "2025-03-05", "--revisions", "--format", "csv").out())
        .contains("local:carl", "key:ops");
  }

  @Test
  void aCheaterIsExcludedAndThePeriodIsAmended() {
    settle("2025-03-06");
    Called dry = remote("exclude", "bob", "--level", "hidden", "--reason", "bot", "--dry-run");
    assertThat(dry.out())
        .contains("bob would be hidden", "race 2025-03-06; amend")
        .as("a number that does not last")
        .doesNotContain("exclusion ", "--exclusion");
    assertThat(remote("exclusions", "bob").out()).isEqualTo("no exclusions\n");

    Called excluded =
        remote(
            "exclude",
            "bob",
            "--level",
            "hidden",
            "--reason",
            "bot",
            "--from",
            "2025-03-06",
            "--until",
            "2025-03-07",
            "--board",
            "race");
    assertThat(excluded.exitCode()).as(excluded.err()).isZero();
    assertThat(excluded.out()).containsPattern("  palmares amend --exclusion \\d+ --reason TEXT");
    Called prepared = remote("amend", "race", "2025-03-06", "--reason", "bot");
    assertThat(prepared.exitCode()).isEqualTo(3);
    assertThat(prepared.out()).contains("ann", "2 > 1", "50 > 100");
    assertThat(remote("report", "race", "2025-03-06", "--revision", "2", "--differences").out())
        .contains("rank before", "ann");
    assertThat(remote("periods", "--attention").out()).contains("approve or reject revision 2");
    Called approved =
        remote("approve", "race", "2025-03-06", "--reason", "right", "--expect", digest(prepared));
    assertThat(approved.out()).contains("race 2025-03-06 is amended: ");
    assertThat(remote("verify", "race", "2025-03-06").exitCode()).isZero();
    remote("exclude", "bob", "--lift", "--all", "--reason", "was her sister");
  }

  @Test
  void allFaultsOfACallAreNamedAtOnce() {
    Called wrong = remote("exclude", "a\nb", "--level", "hiden", "--reason", "x");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("did you mean 'hidden'", "control characters");
  }

  @Test
  void anAdminManagesPeopleAndKeysFromElsewhere() {
    String[] admin = {"--url", url, "--token", adminToken};
    assertThat(remote("people", "list").err()).contains("key:ops needs the role admin");
    assertThat(remote("api-keys", "revoke", "other").err()).contains("needs the role admin");
    assertThat(remote("api-keys", "revoke", "other", "--mine").err())
        .contains("there is no key 'other' in use");

    Called dry = at(admin, "people add zed --role viewer --dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out()).isEqualTo("would add zed with the roles viewer\n");
    assertThat(dry.err()).contains("this was a dry run: nothing was changed");
    Called added = at(admin, "people add zed --role viewer --idempotency-key zed");
    assertThat(added.out()).matches("\\S{16,}\n");
    assertThat(added.err())
        .contains("added zed", "it cannot be shown again")
        .doesNotContain("dry run");
    Called repeat = at(admin, "people add zed --role viewer --idempotency-key zed");
    assertThat(repeat.exitCode()).isEqualTo(2);
    assertThat(repeat.out()).isEmpty();
    assertThat(repeat.err()).contains("was answered with the secret");
    assertThat(at(admin, "people roles zed operator,approver").out())
        .isEqualTo("zed has the roles operator, approver\n");
    assertThat(at(admin, "people disable zed").out()).isEqualTo("disabled zed\n");
    assertThat(at(admin, "people list --format csv").out())
        .isEqualTo(palmares.call("people", "list", "--format", "csv").out())
        .contains("zed,\"operator, approver\",true,");
    String tag = at(admin, "people list --format csv --raw").lastLine();
    String etag = tag.substring(tag.lastIndexOf(',') + 1).replace("\"\"\"", "\"");
    assertThat(at(admin, "people enable zed --if-match " + etag).exitCode()).isZero();
    Called stale = at(admin, "people disable zed --if-match " + etag);
    assertThat(stale.exitCode()).isEqualTo(2);
    assertThat(stale.err()).contains("'zed' has changed since you saw it");

    Called made = at(admin, "api-keys create --name night --role operator --operation opsClose");
    assertThat(made.out()).as(made.err()).matches("pal_\\w+_[\\w-]+\n");
    String[] night = {"--url", url, "--token", made.out().strip()};
    assertThat(at(night, "runs").exitCode()).isZero();
    assertThat(at(night, "verify --reason x").err())
        .contains("key:night is limited to the operations opsClose, and this is opsVerify");
    assertThat(at(admin, "api-keys rotate night --overlap-hours 0").out()).startsWith("pal_");
    assertThat(at(night, "runs").exitCode()).isEqualTo(2);
    assertThat(at(admin, "api-keys list").out()).isEqualTo(palmares.call("api-keys", "list").out());
    assertThat(at(admin, "api-keys revoke night").out()).isEqualTo("revoked night\n");
    assertThat(at(admin, "api-keys create --name x --operation opsFly").err())
        .contains("not 'opsFly'");
  }

  private static Called at(String[] server, String command) {
    var all = new ArrayList<>(List.of(command.split(" ")));
    all.addAll(List.of(server));
    return Called.alone(all.toArray(String[]::new));
  }

  @Test
  void anAdminForgetsAPersonFromElsewhere() {
    String[] admin = {"--url", url, "--token", adminToken};
    palmares
        .get(Members.class)
        .register(
            new Registration(new ExternalId("+8613912345678"), "gone", null, new MemberId("gone")));
    assertThat(remote("forget", "gone", "--reason", "request 7").err())
        .contains("key:ops needs the role admin");
    Called dry = at(admin, "forget gone --reason request-7 --dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    Called forgotten = at(admin, "forget gone --reason request-7 --idempotency-key f");
    assertThat(forgotten.exitCode()).as(forgotten.err()).isZero();
    assertThat(forgotten.out()).startsWith("the profile of 'gone' is deleted");
    assertThat(at(admin, "forget gone --reason request-7 --idempotency-key f").out())
        .isEqualTo(forgotten.out());
    assertThat(at(admin, "forget gone --reason again").out()).contains("was deleted before");
    Called unknown = at(admin, "forget zoe --reason request-7");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("'zoe' has not registered");
  }

  @Test
  void aServerSaysWhichServersRun() {
    Called info = remote("info");
    assertThat(info.exitCode()).as(info.err()).isZero();
    assertThat(info.out()).contains("node", "state").doesNotContain("PASSWORD");
  }

  /** The caller names no path: the files are in the server's folder. */
  @Test
  void aServerArchivesIntoItsOwnFolder() throws IOException {
    String[] archive = {
      "archive", "race", "--before", "2025-03-02", "--reason", "old", "--idempotency-key", "a1"
    };
    Called archived = remote(archive);
    assertThat(archived.exitCode()).as(archived.err()).isZero();
    assertThat(archived.out()).contains("race " + SETTLED).endsWith("1 period archived, 0 not\n");
    Path file = palmares.archive().resolve("race").resolve(SETTLED + ".jsonl.gz");
    assertThat(file).exists();
    assertThat(remote(archive).out()).isEqualTo(archived.out());
    assertThat(remote("archive", "race", "--check").lastLine())
        .isEqualTo("1 period as archived, 0 not");
    Files.write(file, new byte[] {1});
    Called changed = remote("archive", "--check");
    assertThat(changed.exitCode()).isEqualTo(1);
    assertThat(changed.out()).contains(SETTLED + ".jsonl.gz is not what was archived");
    Called again = remote("archive", "race", "--before", "2025-03-02", "--reason", "again");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.out()).endsWith("0 periods archived, 1 not\n");
  }

  @Test
  void aPersonHoldsAClosingThatNoRuleHolds() {
    importEvent("2025-03-10", "ann");
    assertThat(remote("hold", "race", "2025-03-10", "--reason", "doubt").exitCode()).isZero();
    assertThat(remote("hold", "race", "2025-03-10", "--reason", "doubt").err())
        .contains("a person holds race 2025-03-10 already");
    assertThat(remote("hold", "race", "2025-03-10", "--lift", "--reason", "no").exitCode())
        .isZero();
    assertThat(remote("hold", "race", "2025-03-10", "--lift", "--reason", "no").exitCode())
        .isEqualTo(2);
    remote("hold", "race", "2025-03-10", "--reason", "doubt");
    Called held = remote("close", "race", "2025-03-10");
    assertThat(held.exitCode()).isEqualTo(3);
    assertThat(held.out()).contains("nothing is paid: key:ops holds it: doubt");
    assertThat(remote("ledger", "period", "race", "2025-03-10").out()).contains("no transfers");
    Called approved =
        remote("approve", "race", "2025-03-10", "--reason", "fine", "--expect", digest(held));
    assertThat(approved.out()).contains("race 2025-03-10 is approved and settled");
    assertThat(remote("hold", "race", "2025-03-10", "--reason", "late").err())
        .contains("race 2025-03-10 cannot be held: it is settled");
    assertThat(remote("verify", "race", "2025-03-10").exitCode()).isZero();
  }

  @Test
  void aRejectedClosingIsRestarted() {
    vote("2025-03-08");
    Called held = remote("close", "checked", "2025-03-08");
    assertThat(held.exitCode()).isEqualTo(3);
    Called unseen = remote("reject", "checked", "2025-03-08", "--reason", "no");
    assertThat(unseen.exitCode()).isEqualTo(2);
    assertThat(unseen.err())
        .contains("was not rejected: name what you saw", "--expect " + digest(held));
    assertThat(remote("periods", "checked", "2025-03-08").out()).contains("held");
    assertThat(
            remote("reject", "checked", "2025-03-08", "--reason", "no", "--expect", digest(held))
                .exitCode())
        .isZero();
    Called dry = remote("restart", "checked", "2025-03-08", "--reason", "again", "--dry-run");
    assertThat(dry.out()).contains("checked 2025-03-08 is rejected, and would be closed again");
    assertThat(remote("periods", "checked", "2025-03-08").out()).contains("rejected");
    assertThat(remote("restart", "checked", "2025-03-08", "--reason", "again").exitCode())
        .isEqualTo(3);
  }

  @Test
  void aRepeatWithTheSameKeyDoesNothingAgain() {
    String[] exclude = {
      "exclude",
      "ann",
      "--level",
      "no-prize",
      "--reason",
      "staff",
      "--until",
      "2024-01-01",
      "--idempotency-key",
      "once"
    };
    Called first = remote(exclude);
    assertThat(first.exitCode()).as(first.err()).isZero();
    long before = exclusions();
    Called second = remote(exclude);
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(exclusions()).isEqualTo(before);
    exclude[5] = "other";
    Called other = remote(exclude);
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains("this Idempotency-Key was used for another request");
  }

  private long exclusions() {
    return palmares
        .get(JdbcClient.class)
        .sql("select count(*) from exclusion")
        .query(Long.class)
        .single();
  }

  /** Each finds the task of another that was refused or runs, or runs itself. */
  @Test
  void equalCallsAtOnceThatAreRefusedAreAllRefused() throws Exception {
    String[] admin = {"--url", url, "--token", adminToken};
    long before = palmaresTasks();
    var pool = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 10; round++) {
        String call = "people disable nobody --idempotency-key refused-" + round;
        List<Callable<Called>> calls = Collections.nCopies(4, () -> at(admin, call));
        for (var result : pool.invokeAll(calls)) {
          Called refused = result.get();
          assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
          assertThat(refused.err()).contains("there is no person 'nobody'");
        }
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(palmaresTasks()).isEqualTo(before);
  }

  @Test
  void aVerbOnAPeriodThatHasChangedIsRefused() {
    vote("2025-03-09");
    String tag = remote("periods", "checked", "2025-03-09", "--etag").lastLine();
    assertThat(remote("close", "checked", "2025-03-09", "--if-match", tag).exitCode()).isEqualTo(3);
    Called stale = remote("reject", "checked", "2025-03-09", "--reason", "no", "--if-match", tag);
    assertThat(stale.exitCode()).isEqualTo(2);
    assertThat(stale.err()).contains("checked 2025-03-09 has changed since you saw it");
    assertThat(remote("periods", "checked", "2025-03-09").out()).contains("held");
    String now = remote("periods", "checked", "2025-03-09", "--etag").lastLine();
    assertThat(
            remote("reject", "checked", "2025-03-09", "--reason", "no", "--if-match", now)
                .exitCode())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "close race 2025-03-01 --wait -1",
        "close race 2025-03-01 --data x",
        "approve race 2025-03-01 --reason yes",
        "restart race 2025-03-01 --reason yes",
        "reject race 2025-03-01 --reason yes",
        "amend race 2027-01-01 --reason yes",
        "report rase 2025-03-01",
        "report race 2025-03-01 --revision 7",
        "periods --state close",
        "periods --after x",
        "exclude nobody --level hidden --reason yes",
        "exclude ann --level worst --reason yes",
        "late accept race 2025-03-01 --all --reason yes",
        "ledger account nobody",
        "archive rase --before 2025-03-02 --reason yes",
        "import x.ndjson"
      })
  void badInputIsRefusedAndChangesNothing(String command) {
    long before = palmaresTasks();
    Called called = remote(command.split(" "));
    assertThat(called.exitCode()).as(called.err()).isEqualTo(2);
    assertThat(called.out()).isEmpty();
    assertThat(palmaresTasks()).isEqualTo(before);
  }

  @Test
  void aListIsFollowedPageByPage() {
    JdbcClient jdbc = palmares.get(JdbcClient.class);
    jdbc.sql(
            """
            insert into audit_entry (at, by, verb, board, reason)
            select now(), 'ann', 'exclude', 'race', 'reason, ' || n || E' of\\nmany'
            from generate_series(1, 2500) n
            """)
        .update();
    int all =
        jdbc.sql("select count(*) from audit_entry where board = 'race'")
            .query(Integer.class)
            .single();
    assertThat(all).isGreaterThan(2 * Listing.DEFAULT_COUNT);
    for (var format : List.of("csv", "json")) {
      Called whole = remote("audit", "race", "--format", format);
      assertThat(whole.err()).isEmpty();
      assertThat(whole.out()).isEqualTo(palmares.call("audit", "race", "--format", format).out());
    }
    String whole = remote("audit", "race", "--format", "json").out();
    assertThat(JsonMapper.shared().readTree(whole)).hasSize(all);
    Called first = remote("audit", "race", "--count", "2", "--format", "csv");
    String cursor = first.err().strip().replace("and more: --after ", "");
    Called second = remote("audit", "race", "--count", "1", "--format", "csv", "--after", cursor);
    assertThat(first.out()).contains(" 2500 of", " 2499 of").doesNotContain(" 2498 of");
    assertThat(second.out()).contains(" 2498 of").doesNotContain(" 2499 of", " 2497 of");
    assertThat(remote("audit", "race").out()).contains(" 2451 of").doesNotContain(" 2450 of");
  }

  private long palmaresTasks() {
    return palmares
        .get(JdbcClient.class)
        .sql("select count(*) from task where not is_refused")
        .query(Long.class)
        .single();
  }

  @Test
  void aReasonHasAtMost500Characters() {
    for (String reason : List.of("", " ", "x".repeat(501))) {
      Called called = remote("restart", "race", SETTLED, "--reason", reason);
      assertThat(called.exitCode()).isEqualTo(2);
      assertThat(called.err()).contains("1 to 500 characters");
    }
  }

  @Test
  void theServerAndTheTokenMustBeRight() {
    Called wrong = Called.alone("runs", "--url", url, "--token", "pal_0_wrong");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("the API key does not exist, has expired, or was revoked");
    Called none = Called.alone("runs", "--url", url);
    assertThat(none.err()).contains("sign in, or send");
    Called nobody = Called.alone("runs", "--url", "http://127.0.0.1:1");
    assertThat(nobody.exitCode()).isEqualTo(4);
    assertThat(nobody.err()).contains("the server does not answer");
    Called address = Called.alone("runs", "--url", "palmares.example.org");
    assertThat(address.exitCode()).isEqualTo(2);
    assertThat(address.err()).contains("the server's address is like https://");
  }

  @Test
  void aProfileNamesTheServerAndKeepsItsToken(@TempDir Path home) throws IOException {
    Path file = home.resolve(".config").resolve("palmares").resolve("profiles");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "prod.url=%s\nprod.token=%s\n".formatted(url, token));
    String former = System.setProperty("user.home", home.toString());
    try {
      Called open = Called.alone("runs", "--profile", "prod");
      assertThat(open.exitCode()).isEqualTo(2);
      assertThat(open.err()).contains("others can read the tokens in", "chmod 600");
      assertThat(file.toFile().setReadable(false, false)).isTrue();
      assertThat(file.toFile().setReadable(true, true)).isTrue();
      assertThat(Called.alone("runs", "--profile", "prod").exitCode()).isZero();
      String fromAFile = token + "\r\n";
      assertThat(Called.alone("runs", "--url", url, "--token", fromAFile).exitCode()).isZero();
      assertThat(Called.alone("runs", "--profile", "test").err()).contains("has no test.url");
    } finally {
      System.setProperty("user.home", former);
    }
  }

  private void importEvent(String day, String member) {
    palmares.callWith(event(day, member, "step", day + "T10:00:00Z"), "import", "-");
  }

  private void vote(String day) {
    palmares.callWith(event("vote " + day, "ann", "vote", day + "T10:00:00Z"), "import", "-");
  }
}
