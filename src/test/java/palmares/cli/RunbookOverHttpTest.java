package palmares.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.identity.People;
import palmares.api.roles.Role;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.Closings;
import palmares.settlement.schedule.NightlyVerification;
import palmares.testing.Api;
import palmares.testing.Browser;

/**
 * Every command of the runbook, carried out by people who have an API key and no database. Members
 * send their events over HTTP, too. The test itself only moves the clock and breaks things.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RunbookOverHttpTest extends OnOwnApplication {
  private static final List<String> RUNBOOK =
      List.of("operations", "deploying", "outages", "monitoring", "delivering");
  private static final Pattern CALL =
      Pattern.compile("(?m)`palmares ([a-z][^`]*)`|^(?: {4}.*)?palmares ([a-z][a-z-]* .*)$");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  /** What the runbook itself leaves to the databases, or to an admin. */
  private static final Set<String> HERE = Set.of("import", "info --url");

  private static final String STAFFED = RACE.replace("hop:", "skip:").replace("step:", "task:");
  private static final String FIRST = "2026-03-10";
  private static final String SECOND = "2026-03-11";
  private static final String THIRD = "2026-03-12";

  /** What was called: each command with each of its options. */
  private final Set<String> called = new TreeSet<>();

  private static final String PASSWORD = "correct horse battery";

  private int port;
  private String url = "";
  private String opal = "";
  private String ada = "";
  private String abe = "";
  private Api sender;

  @Override
  Map<String, String> boards() {
    String checked =
        """
        title: Checked by two
        period: day
        clock: event
        actions: { vote: 5 }
        max-points: 1000
        ranks: competition
        rewards: [{ rule: first, ranks: { 1: 100, 2: 50 }, ties: hold }]
        payout: { approval: two-person }
        """;
    return Map.of("checked", checked, "staffed", STAFFED + "exclusions: [staff]\n");
  }

  @BeforeAll
  void serve() {
    palmares.set("palmares.outbox.stream.key", "palmares:facts");
    url = palmares.serve();
    port = Integer.parseInt(url.replaceFirst(".*:", ""));
    String printed = palmares.get(People.class).addFirst().orElseThrow();
    signIn(People.FIRST_PERSON_NAME, printed);
    opal = key("opal", Role.OPERATOR);
    ada = key("ada", Role.APPROVER);
    abe = key("abe", Role.APPROVER);
    String admin = ownKey(People.FIRST_PERSON_NAME, Role.ADMIN);
    sender =
        new Api(port, ok(admin, "api-keys create --name shop --role writer --reason r").lastLine());
    ok(admin, "api-keys create --name wallet --role wallet --valid-for-days 365 --reason r");
    play(FIRST);
  }

  /** Begins a session, and changes the password that somebody else has chosen. */
  private void signIn(String name, String password) {
    var browser = new Browser(port);
    assertThat(browser.signIn(name, password).status()).isEqualTo(200);
    var change = Map.of("present", password, "wanted", PASSWORD);
    assertThat(browser.post("/api/v1/ops/me/password", change).status()).isEqualTo(200);
  }

  /** A person whom the first one adds, and the key that this person makes in a session. */
  private String key(String name, Role role) {
    var admin = new Browser(port);
    assertThat(admin.signIn(People.FIRST_PERSON_NAME, PASSWORD).status()).isEqualTo(200);
    var person = Map.of("reason", "new", "name", name, "roles", List.of(role.word()));
    Browser.Page added = admin.post("/api/v1/ops/people", person);
    signIn(name, added.body().path("secret").asString());
    return ownKey(name, role);
  }

  private String ownKey(String person, Role role) {
    var browser = new Browser(port);
    assertThat(browser.signIn(person, PASSWORD).status()).isEqualTo(200);
    var key =
        Map.of("reason", "r", "name", person, "roles", List.of(role.word()), "validForDays", 365);
    Browser.Page made = browser.post("/api/v1/ops/me/keys", key);
    assertThat(made.status()).as("%s", made.body()).isEqualTo(200);
    return made.body().path("secret").asString();
  }

  /** A day of events on three boards. */
  private void play(String day) {
    Map.of("ann", 2, "bob", 3, "cid", 1)
        .forEach(
            (member, times) -> {
              for (int i = 0; i < times; i++) {
                send(day, member + i, member, "step");
                send(day, member + i, member, "task");
              }
            });
    send(day, "", "ann", "vote");
    send(day, "", "bob", "vote");
  }

  private void send(String day, String what, String member, String action) {
    Api.Answer answer = answer(day, what, member, action);
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
  }

  private Api.Answer answer(String day, String what, String member, String action) {
    String id = "%s %s %s %s".formatted(action, day, member, what);
    return sender.post(event(id, member, action, day + "T10:00:00Z").strip());
  }

  /** Calls a command that must not start the application, with somebody's key. */
  private Called by(String token, String... arguments) {
    remember(String.join(" ", arguments));
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", url, "--token", token));
    return Called.alone(all.toArray(String[]::new));
  }

  private void remember(String call) {
    String command = call.split(" ")[0];
    called.add(command);
    OPTION.matcher(call).results().forEach(option -> called.add(command + " " + option.group()));
  }

  /** As the operator, with words that have no blanks. */
  private Called run(String command) {
    return by(opal, command.split(" "));
  }

  private Called ok(String command) {
    return ok(opal, command);
  }

  private Called ok(String token, String command) {
    return expect(token, 0, command);
  }

  private Called expect(String token, int exitCode, String command) {
    Called done = by(token, command.split(" "));
    assertThat(done.exitCode()).as("%s: %s%s", command, done.out(), done.err()).isEqualTo(exitCode);
    return done;
  }

  private Called refused(String command) {
    return expect(opal, 2, command);
  }

  /** Approves what a first call without a digest has shown. */
  private Called approve(String token, int exitCode, String what) {
    Called shown = expect(token, 2, "approve " + what);
    String digest = found("--expect ([0-9a-f]{8})", shown.err());
    return expect(token, exitCode, "approve %s --expect %s".formatted(what, digest));
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  private JdbcClient jdbc() {
    return palmares.get(JdbcClient.class);
  }

  private Period period(String board, String day) {
    return palmares.get(Periods.class).find(new BoardId(board), new PeriodName(day)).orElseThrow();
  }

  private void drain(String board, String day) {
    palmares.get(Journal.class).drain(period(board, day));
  }

  /** Removes the live board of a period from Redis. */
  private void lose(String board, String day) {
    try (RedisConnection redis = palmares.get(RedisConnectionFactory.class).getConnection()) {
      var keys = redis.keyCommands();
      byte[] all = LiveKeys.of(period(board, day)).name("*").getBytes(UTF_8);
      keys.del(keys.keys(all).toArray(byte[][]::new));
    }
  }

  @Test
  @Order(1)
  void aLiveBoardThatRedisLostIsRebuilt() {
    drain("race", FIRST);
    lose("race", FIRST);
    assertThat(ok("rebuild race " + FIRST + " --reason lost").out())
        .startsWith("rebuilt race 2026-03-10: 6 events, each decided as before; it is open");
    assertThat(refused("rebuild race " + FIRST + " --reason again").err()).contains("--replace");
    assertThat(ok("rebuild race " + FIRST + " --replace --reason again").out())
        .contains("6 events");
  }

  @Test
  @Order(2)
  void aJournalEntryThatPostgresRefusesIsReleasedOrDiscarded() {
    jdbc().sql("alter table event add constraint broken check (id not like '%broken%')").update();
    send(FIRST, "broken 1", "cid", "step");
    send(FIRST, "broken 2", "cid", "step");
    drain("race", FIRST);
    String listed = ok("journal quarantine race " + FIRST + " --format csv").out();
    List<String> numbers = listed.lines().skip(1).map(line -> line.split(",")[2]).toList();
    assertThat(numbers).hasSize(2);
    jdbc().sql("alter table event drop constraint broken").update();

    String target = " race " + FIRST + " ";
    ok("journal quarantine release" + target + numbers.get(0) + " --reason repaired");
    ok("journal quarantine discard" + target + numbers.get(1) + " --reason noise");
    assertThat(ok("journal quarantine race").out()).contains("no quarantined entries");
    assertThat(ok("journal quarantine --all").out()).contains("key:opal", "repaired", "noise");
    assertThat(ok("rebuild race " + FIRST + " --replace --reason without").out())
        .contains("it is open");
  }

  @Test
  @Order(3)
  void aNightsClosingsAreWatchedAndAFailureIsRepaired() {
    assertThat(ok("preview race " + FIRST).out()).contains("ann", "100");
    palmares.advance(Duration.ofDays(1));
    play(SECOND);
    assertThat(ok("close --due --dry-run").out()).contains("3 periods would be closed");
    Called closed = expect(opal, 1, "close --due");
    assertThat(closed.out()).contains("staffed 2026-03-10");
    assertThat(ok("runs --failed --stack").out())
        .contains("the list 'staff', which does not exist");
    assertThat(ok("runs staffed --failed").out()).contains("failed");
    assertThat(ok("periods --attention").out()).contains("checked", "staffed");
    assertThat(ok("inbox").out()).contains("checked", "staffed", "palmares approve ");

    ok("lists create staff --reason testers");
    ok("lists add staff ann --level no-prize --reason joined");
    ok("close staffed " + FIRST);
    assertThat(ok("report staffed " + FIRST + " --format csv").out())
        .contains("2026-03-10,2,ann,10,")
        .doesNotContainPattern("ann,10,\\S+,50,50");
    assertThat(ok("runs race " + FIRST + " --steps").out()).containsPattern("seal +\\|");
    assertThat(ok("verify --reason morning").lastLine()).endsWith("0 missing, 0 extra, 0 unequal");
    palmares.get(NightlyVerification.class).verifyIfDue();
    assertThat(ok("verify --history").out()).contains("2026-03-1");
    assertThat(ok("report race --all --format csv").out()).contains(FIRST);
  }

  @Test
  @Order(4)
  void twoPeopleApproveAHeldPeriodAndItsTies() {
    assertThat(expect(opal, 3, "preview checked " + FIRST).out()).contains("ann", "bob");
    approve(abe, 3, "checked " + FIRST + " --ties share --reason fair");
    approve(abe, 2, "checked " + FIRST + " --reason mine");
    approve(ada, 3, "checked " + FIRST + " --reason right");
    String cyd = key("cyd", Role.APPROVER);
    assertThat(approve(cyd, 0, "checked " + FIRST + " --reason right").out())
        .contains("checked 2026-03-10 is approved and settled");
    assertThat(ok("ledger period checked " + FIRST + " --format csv").out()).contains(",2,150");
  }

  @Test
  @Order(5)
  void aRejectedPeriodIsComputedAgainAndAHeldOneIsPaidByADigest() {
    palmares.advance(Duration.ofDays(1));
    play(THIRD);
    assertThat(ok("extend race " + THIRD + " --until 2026-03-13T01:00:00Z --reason outage").out())
        .contains("race 2026-03-12 is extended: it ends ");
    assertThat(refused("extend race " + THIRD + " --until 2026-03-13 --reason no").err())
        .contains("after its present end 2026-03-13 ");
    ok("hold race " + SECOND + " --reason doubt");
    ok("hold race " + SECOND + " --lift --reason none");
    ok("hold race " + SECOND + " --reason doubt");
    Called held = expect(opal, 3, "close race " + SECOND);
    String rejected = found("reject .* --expect ([0-9a-f]{8})", held.out() + held.err());
    ok(ada, "reject race " + SECOND + " --reason wrong --expect " + rejected);
    held = expect(opal, 3, "restart race " + SECOND + " --reason again");
    String digest = found("--expect ([0-9a-f]{8})", held.out() + held.err());
    assertThat(expect(ada, 2, "approve race " + SECOND + " --reason now --expect 00000000").err())
        .contains(digest);
    assertThat(ok(ada, "approve race " + SECOND + " --reason now --expect " + digest).out())
        .contains("race 2026-03-11 is approved and settled");
    held = expect(opal, 3, "close checked " + SECOND);
    rejected = found("reject .* --expect ([0-9a-f]{8})", held.out() + held.err());
    ok(ada, "reject checked " + SECOND + " --reason wrong --expect " + rejected);
    Called range =
        run(
            "restart checked --from %s --to %s --state rejected --reason all"
                .formatted(SECOND, THIRD));
    assertThat(range.exitCode()).as(range.err()).isEqualTo(3);
    assertThat(range.out()).contains("held checked 2026-03-11");
    assertThat(expect(opal, 2, "restart checked --cause 5e6f7a8b --reason none").err())
        .contains("there is no period to restart in: checked cause 5e6f7a8b");
    assertThat(expect(opal, 2, "restart checked --cause latest --reason none").err())
        .contains("a code that the inbox shows", "not 'latest'");
  }

  @Test
  @Order(6)
  void membersAreExcludedAndAllTheirPeriodsAreAmendedInOneAct() throws IOException {
    ok("exclude cid --level unranked --board race --reason check");
    assertThat(ok("exclusions cid").out()).contains("unranked");
    ok("exclude cid --lift --all --reason fine");
    assertThat(ok("exclusions --all").out()).contains("fine");
    assertThat(ok("exclusions --board race --period " + FIRST + " --revision 1").out())
        .isNotEmpty();
    Path file = folder.resolve("bots.csv");
    Files.writeString(file, "member,level,board,reason\nbob,hidden,race,two accounts\n");
    assertThat(by(opal, "lists", "create", "bots", "--reason", "r").exitCode()).isZero();
    Path listed = folder.resolve("listed.csv");
    Files.writeString(listed, "member,level,reason\nbob,hidden,found\n");
    ok("lists add bots --file %s --reason found".formatted(listed));
    assertThat(ok("lists").out()).contains("bots", "staff");
    assertThat(ok("lists show bots").out()).contains("bob");
    ok("lists remove bots bob --reason wrong");
    Called excluded = ok("exclude --file %s --reason bot".formatted(file));
    String exclusion = found("amend --exclusion (\\d+)", excluded.out());

    Called amended = expect(opal, 3, "amend --exclusion " + exclusion + " --reason bot");
    String first = found("batch (\\d+): ", amended.out());
    Called rejectable = expect(ada, 3, "reject --batch " + first);
    String sums = found("reject .* --expect ([0-9a-f]{8})", rejectable.out() + rejectable.err());
    ok(ada, "reject --batch %s --expect %s --reason not-yet".formatted(first, sums));
    amended = expect(opal, 3, "amend --exclusion " + exclusion + " --reason bot");
    String batch = found("batch (\\d+): ", amended.out());
    Called shown = expect(ada, 3, "approve --batch " + batch);
    assertThat(shown.out()).contains("race", "credits");
    String digest = found("--expect ([0-9a-f]{8})", shown.out() + shown.err());
    Called approved =
        ok(ada, "approve --batch %s --expect %s --reason right".formatted(batch, digest));
    assertThat(approved.out()).contains("2 done");
    assertThat(ok("tasks --batches").out()).contains("approve", "amend");
    assertThat(ok("tasks " + batch).out()).containsSubsequence("race", FIRST);
    assertThat(refused("tasks resume " + batch).err()).contains("nothing left to do");
    assertThat(refused("tasks cancel " + batch + " --reason late").err()).contains("has ended");
    assertThat(ok("report race " + FIRST).out()).doesNotContain("bob");
    assertThat(ok("verify race " + FIRST + " --reason amended").exitCode()).isZero();
  }

  @Test
  @Order(7)
  void aSettledPeriodIsAmended() throws IOException {
    Path rules = folder.resolve("race.yml");
    Files.writeString(rules, RACE.replace("1: 100", "1: 120"));
    assertThat(ok("what-if race " + FIRST + " --without cid").out()).contains("cid");
    assertThat(ok("what-if race " + FIRST + " --points ann=7").out()).contains("ann");
    assertThat(ok("what-if race " + FIRST + " --rules " + rules).out()).contains("120");
    expect(opal, 3, "amend race %s --points ann=7 --rules %s --reason fix".formatted(FIRST, rules));
    String revisions = ok("report race " + FIRST + " --revisions --format csv").out();
    int revision =
        revisions
            .lines()
            .skip(1)
            .mapToInt(line -> Integer.parseInt(line.split(",")[0]))
            .max()
            .orElseThrow();
    String amended = "race %s --revision %d --reason ok".formatted(FIRST, revision);
    assertThat(approve(ada, 0, amended).out()).contains("race 2026-03-10 is amended");
    assertThat(ok("report race " + FIRST + " --revision 1").out()).contains("bob");
    assertThat(ok("manifest race " + FIRST).out()).isNotEmpty();
    assertThat(ok("audit race " + FIRST).out()).contains("key:ada", "approve", "amend");
    assertThat(ok("audit").out()).contains("exclude", "create-list");
  }

  @Test
  @Order(8)
  void lateEventsAreDecided() {
    for (String what : List.of("late 1", "late 2", "late 3")) {
      assertThat(answer(FIRST, what, "cid", "hop").response().body()).contains("late");
    }
    assertThat(ok("late race").out()).contains("late 1", "late 2");
    assertThat(ok("late race " + FIRST + " --undecided").out()).contains("late 1");
    String hasty = "hop %s cid late 3".formatted(FIRST);
    by(opal, "late", "accept", "race", FIRST, hasty, "--reason", "hasty");
    ok("late dismiss race " + FIRST + " --all --change --reason hasty");
    String id = "hop %s cid late 1".formatted(FIRST);
    Called accepted =
        by(opal, "late", "accept", "race", FIRST, id, "--reason", "the gateway was down");
    assertThat(accepted.exitCode()).as(accepted.err()).isZero();
    ok("late dismiss race " + FIRST + " --all --reason clock");
    expect(opal, 3, "amend race " + FIRST + " --reason gateway");
    approve(ada, 0, "race " + FIRST + " --reason right");
    assertThat(ok("withheld race --undecided").out()).contains("no withheld lines");
    Called released = expect(opal, 2, "withheld release race " + FIRST + " cid --reason known");
    assertThat(released.err()).contains("has no flagged line of cid");
    assertThat(ok("explain cid race " + FIRST).out()).contains("hop");
    Path page = folder.resolve("cid.html");
    ok("explain cid race %s --html %s --events 100".formatted(FIRST, page));
    assertThat(page).content().contains("<html");
    assertThat(ok("explain cid race " + FIRST + " --format json").out()).startsWith("{");
  }

  @Test
  @Order(9)
  void theLedgerIsRead() {
    assertThat(ok("ledger balance").out()).contains("credits");
    assertThat(ok("ledger balance --all").out()).contains("ann");
    assertThat(ok("ledger account ann --kind member").out()).contains("race");
    assertThat(ok("ledger payout race " + FIRST).out()).contains("ann");
    assertThat(ok("ledger payout race " + FIRST + " --revision 1").out()).contains("cid");
    assertThat(ok("ledger payout race --from %s --to %s".formatted(FIRST, THIRD)).out())
        .contains("ann");
    assertThat(ok("ledger payout --month 2026-03").out()).contains("ann");
    assertThat(ok("report race --from %s --to %s --format csv".formatted(FIRST, THIRD)).out())
        .contains(SECOND);
    assertThat(ok("member race ann").out()).contains(FIRST);
    assertThat(ok("member race ann --record").out()).isNotEmpty();
    assertThat(ok("member ann").out()).contains("staffed");
    assertThat(ok("fame race").out()).contains("ann");
    assertThat(ok("month 2026-03 --zone Asia/Tokyo").out()).contains("race");
    Path out = folder.resolve("balance.xlsx");
    ok("ledger balance --format xlsx --out " + out);
    assertThat(out).isNotEmptyFile();
  }

  @Test
  @Order(10)
  void aBoardIsPausedAndItsPeriodsAreClosedInOneAct() {
    palmares.advance(Duration.ofDays(1));
    ok("pause race --reason check");
    assertThat(ok("pause").out()).contains("race", "check");
    assertThat(refused("close race " + THIRD).err()).contains("palmares resume race");
    ok("resume race --reason fine");
    Called closed =
        ok("close race --from %s --to 2026-03-13 --state open --reason now".formatted(THIRD));
    assertThat(closed.out()).contains("1 done");
  }

  @Test
  @Order(11)
  void aSealedPeriodThatLostEventsIsClosedWithoutThem() {
    drain("staffed", SECOND);
    palmares
        .get(Closings.class)
        .close(
            period("staffed", SECOND).id(),
            ClosingCause.of("test"),
            step -> {
              if (step.equals("drain")) {
                throw new IllegalStateException("killed");
              }
            });
    lose("staffed", SECOND);
    for (String table : List.of("event", "journal_position")) {
      jdbc()
          .sql("delete from %s where period_id = ?".formatted(table))
          .param(period("staffed", SECOND).id().value())
          .update();
    }
    expect(opal, 1, "close staffed " + SECOND);
    assertThat(expect(opal, 1, "rebuild staffed " + SECOND + " --reason lost").err())
        .contains("so nobody is paid");
    assertThat(ok("rebuild staffed " + SECOND + " --accept-loss --reason fire").out())
        .contains("which key:opal");
    ok("close staffed " + SECOND);
    assertThat(ok("report staffed " + SECOND).out()).contains("0 of 6 sealed events");
    assertThat(ok("verify staffed " + SECOND + " --reason loss").exitCode()).isZero();
  }

  @Test
  @Order(12)
  void deliveriesAreWatchedRetriedAndRepeated() {
    jdbc()
        .sql(
            """
            insert into outbox_target (name, address, facts, since, fact)
            values ('webhook', 'x', '{*}', now(), 0), ('stream', 'x', '{*}', now(), 0)
            on conflict do nothing
            """)
        .update();
    assertThat(ok("outbox").out()).contains("stream");
    assertThat(ok("outbox --attempts --failed --target stream").out()).isNotEmpty();
    ok("outbox --all --retry --reason repaired");
    assertThat(ok("outbox --from 2026-03-01 --target stream --reason again").out())
        .contains("stream has not had the first of them yet: its backlog comes first");
    assertThat(ok("outbox --forget --target webhook --reason gone").out())
        .contains("the status of 'webhook' is removed");
  }

  @Test
  @Order(13)
  void walletsInvitesAndOtherRulesAreCompared() throws IOException {
    Path list = Files.writeString(folder.resolve("wallet.csv"), "id,amount\nnobody,5\n");
    ok("reconcile --file " + list + " --from 2026-03-01 --reason night");
    assertThat(ok("reconcile").out()).contains("nobody");
    String found = ok("reconcile --kind unawarded --format csv").lastLine().split(",")[0];
    ok("reconcile --accept " + found + " --reason known");
    assertThat(ok("reconcile").out()).doesNotContain("nobody");
    assertThat(ok("reconcile --resend --kind missing --reason repaired").out())
        .contains("no award can be sent again");
    assertThat(refused("reconcile --fetch --reason night").err()).contains("list.url");
    assertThat(ok("reconcile --return 17 --reason refused").out())
        .contains("no refused award is open");
    Path rules = folder.resolve("more.yml");
    Files.writeString(rules, RACE.replace("1: 100", "1: 120"));
    assertThat(ok("replay race --prizes " + rules + " --from 2026-03-01 --to 2026-04-01").out())
        .contains("2026-03");
    assertThat(ok("invites --pending").exitCode()).isZero();
  }

  @Test
  @Order(14)
  void memoryIsFreedAndTheJournalIsArchived() {
    assertThat(ok("memory race").out()).contains("race", FIRST);
    palmares.advance(Duration.ofDays(40));
    run("close --due");
    assertThat(ok("memory --all --drop-orphans --reason old").out()).contains("removed");
    assertThat(ok("archive race --before 2026-03-11 --reason old").lastLine())
        .isEqualTo("1 period archived, 0 not");
    assertThat(ok("archive --all --before 2026-03-11 --reason old --drop").out())
        .contains("dropped from the database");
    assertThat(ok("archive --check").lastLine()).isEqualTo("3 periods as archived, 0 not");
    Called verified = ok("verify --reason last");
    assertThat(verified.lastLine()).endsWith("0 missing, 0 extra, 0 unequal");
    Matcher link = Pattern.compile("last link of a chain: manifests .*").matcher(verified.out());
    assertThat(link.find()).as(verified.out()).isTrue();
    Called compared = by(opal, "verify", "--link", link.group(), "--reason", "kept elsewhere");
    assertThat(compared.exitCode()).as(compared.err()).isZero();
    assertThat(ok("info").out()).contains("node");
    assertThat(ok("boards race").out()).contains("The race");
    assertThat(ok("boards invites --from-database").out()).startsWith("invites: ");
  }

  /** A command or option that is added to the runbook is called here, too. */
  @Test
  @Order(15)
  void nothingOfTheRunbookIsLeftOut() throws IOException {
    var named = new TreeSet<String>();
    var text = new StringBuilder();
    for (String page : RUNBOOK) {
      text.append(Files.readString(Path.of("src", "docs", page + ".md"))).append('\n');
    }
    CALL.matcher(text)
        .results()
        .map((MatchResult call) -> call.group(1) == null ? call.group(2) : call.group(1))
        .forEach(
            call -> {
              String command = call.split("[ ,]")[0];
              named.add(command);
              OPTION
                  .matcher(call)
                  .results()
                  .forEach(option -> named.add(command + " " + option.group()));
            });
    assertThat(named).hasSizeGreaterThan(60);
    named.removeAll(called);
    named.removeIf(each -> HERE.contains(each) || HERE.contains(each.split(" ")[0]));
    assertThat(named).isEmpty();
  }
}
