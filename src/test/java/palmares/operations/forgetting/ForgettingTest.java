package palmares.operations.forgetting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.member.ExternalId;
import palmares.live.member.MemberCodes;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.archive.ArchiveRenaming.Renamed;
import palmares.operations.archive.Archives;
import palmares.operations.forgetting.Forgetting.Forgotten;
import palmares.operations.forgetting.Forgetting.Plan;
import palmares.operations.forgetting.Forgetting.Progress;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.PayoutReport;
import palmares.operations.report.PayoutReport.Payout;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.Expiry;
import palmares.settlement.verification.Difference;
import palmares.settlement.verification.RichHistory;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Contract;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.json.JsonMapper;

/** A forgotten person is found nowhere, and everything still verifies and balances. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class ForgettingTest {
  private static final Rules NEEDS_APPROVAL =
      Rules.day()
          .with("actions: { like: 1 }")
          .with("rewards: [{ rule: each, taking-part: 1 }]")
          .with("payout: { approval: required }");

  /** Names of rules, people who act and servers; and what is renamed or deleted in other ways. */
  private static final String NAMING_NOBODY =
      """
      api_key.boards api_key.name api_key.operations api_key.owner api_key.roles api_secret.id
      api_secret.key approval_setting.process archived_root.root archived_root.what
      audit_entry.verb committed_event.action committed_event.digest
      committed_event.outcome correction.kind definition.lists definition.source
      delivery_attempt.batch delivery_attempt.target ended_session.person event.action event.digest
      event.outcome exclusion.level exclusion.list exclusion_list.name fact.subject
      fact.traceparent fact.type
      forgetting.member forgotten_root.former forgotten_root.root forgotten_root.what
      forgotten_sum.what frozen_exclusion.level frozen_exclusion.list
      import_run.sources invite.inviter invite.newcomer journal_fault.kind
      journal_position.entry journal_quarantine.resolution
      late_event.action late_event.verdict late_write.key line.member loss.kind manifest.body
      member.digest member.external_mask member.id member.invite_code member.nickname
      member_key.key node.name node.process node.roles outbox_target.address
      outbox_target.after_member outbox_target.facts outbox_target.name payment.member
      payout_file.reference period.lease_owner period.name period_batch.digest period_batch.runner
      period_batch.verb period_batch_item.digest period_batch_sum.currency person.name
      person.password person.roles prize.currency prize.name rebuild.owner revision.owed
      revision.ties revision.verdict run.cause run.outcome run.owner run.step session.attributes
      step_progress.slice step_progress.step step_progress.unit task.problem task.process
      task.verb tier_move.direction tier_move.family tier_move.to_board
      """;

  private static final String ONLY_SUBJECT =
      "the id was found only as a subject (events: %d; archives: %d), which may name something else"
          + " than a person; no row has it as a member";

  /** Before the test, settled periods of every kind are played. */
  private static final String EVERY_TABLE = "every-table";

  private static final int READS_OF_A_PERSON = 20;
  private static final Pattern CID = Pattern.compile("(?s).*(?<![A-Za-z0-9])cid(?![A-Za-z0-9]).*");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private Exclusions exclusions;
  @Autowired private LateEventDecisions lateEventDecisions;
  @Autowired private Amendments amendments;
  @Autowired private AuditLog auditLog;
  @Autowired private Members members;
  @Autowired private Forgetting forgetting;
  @Autowired private Leases leases;
  @Autowired private Archives archives;
  @Autowired private ForgottenArchives forgottenArchives;
  @Autowired private Expiry expiry;
  @Autowired private DuePeriods duePeriods;
  @Autowired private PayoutReport payouts;
  @Autowired private MemberCodes codes;
  @Autowired private JdbcClient jdbc;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Board invites;
  private Period week;
  private String code;

  /** An open period with a registered newcomer and an inviter, and texts that name them. */
  @BeforeEach
  void play(TestInfo test) {
    if (test.getTags().contains(EVERY_TABLE)) {
      new RichHistory(
              world,
              servers,
              transaction,
              closings,
              approvals,
              exclusions,
              lateEventDecisions,
              amendments,
              auditLog)
          .play();
    }
    invites =
        world.board(
            Rules.of("week")
                .with("durability: committed")
                .with("actions: { invite: 100, like: { points: 1, undo: true } }")
                .with("invites: { action: invite }")
                .with("rewards: [{ rule: podium, ranks: { 1: 100 } }]"));
    week = world.open(invites);
    code = register("cid", null);
    register("dan", code);
    world.take(Fact.by("zoe").on("the profile of cid").to(invites));
    world.take(Fact.by("cid").on("post").to(invites).named("cid-likes-1"));
    exclude("cid", "cid has two accounts");
    servers.redis(
        redis ->
            redis
                .hashCommands()
                .hSet(
                    "palmares:answer:{key}".getBytes(UTF_8),
                    "body".getBytes(UTF_8),
                    "{\"member\":\"cid\",\"inviter\":\"dan\"}".getBytes(UTF_8)));
    storeSession();
    storeElsewhere();
    closeOthers();
  }

  /** A session of somebody who has typed the person's id into a form. */
  private void storeSession() {
    servers.sql(
        """
        insert into session (hash, created_at, seen_at, attributes)
        values (repeat('a', 64), now(), now(), convert_to('why: cid and dan share', 'UTF8')),
          (repeat('b', 64), now(), now(), convert_to('why: somebody else', 'UTF8'))
        """);
  }

  /** A late event of a period that was never opened, and a resolved entry of the quarantine. */
  private void storeElsewhere() {
    Board timed = world.board(Rules.day().with("clock: event").with("actions: { like: 1 }"));
    world.take(
        Fact.by("cid")
            .on("the profile of dan")
            .named("cid-late-1")
            .to(timed)
            .at(world.now().minus(Duration.ofDays(365))));
    assertThat(records.number("select count(*) from late_event where id = 'cid-late-1'")).isOne();
    Instant at =
        Objects.requireNonNull(
            transaction.execute(
                status ->
                    auditLog.append(
                        AuditEntry.of(
                            week.board(),
                            week.name(),
                            "zoe",
                            "release-entry",
                            "entry 1: cid sent it"))));
    servers.sql(
        """
        insert into journal_quarantine (
          period_id, seq, entry, error, quarantined_at, resolution, resolved_by, resolved_at,
          reason)
        values (?, 1, '', 'refused: (cid, dan)', now(), 'released', 'zoe', ?, 'cid sent it')
        """,
        week.id().value(),
        at.atOffset(ZoneOffset.UTC));
  }

  /** A closing of others that is held, and one that is settled, in whose reasons they are named. */
  private void closeOthers() {
    Board strict = world.board(NEEDS_APPROVAL);
    Board named = world.board(NEEDS_APPROVAL);
    Period held = world.open(strict);
    Period settled = world.open(named);
    world.take(Fact.by("kim").to(strict));
    world.take(Fact.by("kim").to(named));
    approvals.hold(settled.id(), "zoe", "cid says that dan shares a phone");
    world.close(held);
    assertThat(world.again(held).state()).isEqualTo(PeriodState.HELD);
    world.close(settled);
    approvals.approve(
        settled.id(),
        new ApprovalDecision("boss", "asked dan; boss at 7: no,\ncid, \\cid\\", null));
    world.settle(settled);
    assertThat(manifests("cid says that dan")).hasSize(1);
  }

  private List<String> manifests(String text) {
    return records.words("select body from manifest where strpos(body, ?) > 0", text);
  }

  private String register(String member, @Nullable String inviteCode) {
    return members
        .register(
            new Registration(
                new ExternalId("+49-" + member),
                "Nick " + member,
                inviteCode,
                new MemberId(member)))
        .profile()
        .inviteCode()
        .value();
  }

  private void exclude(String member, String reason) {
    exclusions.exclude(
        new Terms(new MemberId(member), ExclusionLevel.NO_PRIZE, invites.id(), null, null),
        reason,
        "boss");
  }

  private Forgotten forget(String member) {
    return forgetting.forget(new MemberId(member), "request 7", "boss", done -> {});
  }

  @Tag(EVERY_TABLE)
  @ParameterizedTest
  @ValueSource(strings = {"cid", "dan"})
  void aForgottenPersonIsFoundNowhereAndEverythingVerifies(String member) {
    assertThat(records.verify().named()).isEmpty();
    Map<String, String> balances = balances();
    List<Line> live = records.live(week);
    assertThat(found(member)).isNotEmpty();
    Forgotten forgotten = forget(member);
    String pseudonym = forgotten.pseudonym().value();
    assertThat(found(member)).isEmpty();
    assertThat(found("Nick " + member)).isEmpty();
    assertThat(member.equals("cid") ? found(code) : List.of()).isEmpty();
    assertThat(records.verify().named()).isEmpty();
    assertThat(balances()).isEqualTo(renamedKeys(balances, member, pseudonym));
    assertThat(forgotten.rebuilt()).contains(week.label());
    assertThat(forgotten.remains()).isEmpty();
    assertThat(manifests("says that")).singleElement().asString().contains(pseudonym);
    assertThat(records.live(week))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("place", "rank")
        .containsExactlyInAnyOrderElementsOf(
            live.stream()
                .map(
                    line ->
                        new Line(
                            line.place(),
                            line.rank(),
                            line.member().equals(member) ? pseudonym : line.member(),
                            line.points(),
                            line.thenBy(),
                            line.reachedAt()))
                .toList());
    assertThat(records.words("select member from audit_entry where verb = 'forget'"))
        .containsExactly(pseudonym);
    assertThat(records.number("select count(*) from forgetting")).isZero();
    assertThat(records.words("select hash from session"))
        .as("only the session that names the person is deleted")
        .containsExactly("b".repeat(64));
  }

  /** A later reader finds the pseudonym where the person was; no log line has the id either. */
  @Tag(EVERY_TABLE)
  @Test
  void aForgottenPersonIsInNoAnswerOfTheApiAndInNoLogLine(CapturedOutput output) {
    var api = new Api(port, Api.ownKey(keys, "boss-key", "local:boss", Role.values()));
    var before = reads("cid").collect(Collectors.toCollection(ArrayList::new));
    before.removeIf(path -> !isIn(answers(api, path), "cid"));
    assertThat(before).as("reads that show the person").hasSizeGreaterThan(READS_OF_A_PERSON);
    int logged = output.getAll().length();

    String body = "{'reason':'request 7','member':'cid'}".replace('\'', '"');
    Answer task = api.post("/ops/members/forget", Api.JSON, body);
    while (task.body().path("state").asString().equals("running")) {
      task = api.get("/ops/tasks/%d?wait=30".formatted(task.body().path("id").asLong()));
    }
    assertThat(task.body().path("state").asString()).as("" + task.body()).isEqualTo("done");
    world.settle(week);
    assertThat(records.verify().named()).isEmpty();
    api.post("/ops/outbox/redeliver", Api.JSON, "{\"reason\":\"all\",\"from\":\"2020-01-01\"}");

    String pseudonym = records.words("select member from audit_entry where verb = 'forget'").get(0);
    assertThat(answers(api, "/ops/tasks/" + task.body().path("id").asLong())).doesNotMatch(CID);
    for (String read : reads(pseudonym).toList()) {
      assertThat(answers(api, read)).as(read).doesNotMatch(CID);
    }
    assertThat(before)
        .allSatisfy(
            path ->
                assertThat(answers(api, renamed(path, pseudonym)))
                    .as(path)
                    .matches(said -> isIn(said, pseudonym)));
    assertThat(output.getAll().substring(logged)).doesNotMatch(CID);
    assertThat(found("cid")).isEmpty();
  }

  private static String renamed(String path, String pseudonym) {
    return path.replaceAll("/cid(?=/|$)", "/" + pseudonym);
  }

  /** Every read of the operations API, about every period of a board with the member. */
  private Stream<String> reads(String member) {
    List<String[]> periods =
        records
            .words(
                """
                select distinct board || ' ' || period from palmares
                where member = ?
                """,
                member)
            .stream()
            .map(words -> words.split(" "))
            .toList();
    return Contract.DOCUMENT.path("paths").properties().stream()
        .filter(path -> path.getValue().has("get"))
        .map(Map.Entry::getKey)
        .filter(path -> path.startsWith("/api/v1/ops/"))
        .map(path -> path.substring("/api/v1".length()))
        .flatMap(
            path ->
                !path.contains("{board}")
                    ? Stream.of(path)
                    : periods.stream()
                        .map(
                            period ->
                                path.replace("{board}", period[0]).replace("{period}", period[1])))
        .map(
            path ->
                path.replace("{member}", member).replace("accounts/{name}", "accounts/" + member))
        .map(path -> path.replace("{month}", "2026-11").replace("{revision}", "2"))
        .map(path -> path.equals("/ops/exclusions") ? path + "?all=true" : path)
        .filter(path -> !path.contains("{"))
        .distinct();
  }

  /** The answers with headers, as JSON, and as CSV where there is a list. */
  private static String answers(Api api, String path) {
    var said = new StringBuilder();
    for (String type : List.of(Api.JSON, "text/csv")) {
      Answer answer = api.get(path, "Accept", type);
      if (answer.status() == 200) {
        said.append(answer.response().headers().map()).append(answer.response().body());
      }
      assertThat(answer.status()).as(path).isLessThan(500);
    }
    return said.toString();
  }

  /** A week with the person, another that others like it in, and one without it, all in files. */
  private List<Period> archived() {
    Board board = world.board(Rules.day().with("actions: { like: 1 }"));
    Board naming = world.board(Rules.day().with("actions: { like: 1 }"));
    Board other = world.board(Rules.day().with("actions: { like: 1 }"));
    Board kept = world.board(Rules.day().with("actions: { like: 1 }"));
    List<Period> days =
        List.of(world.open(board), world.open(naming), world.open(other), world.open(kept));
    world.take(Fact.by("cid").on("post").named("cid-likes-2").to(board));
    world.take(Fact.by("kim").on("accident").to(board));
    world.take(Fact.by("kim").on("the profile of cid").to(naming));
    world.take(Fact.by("kim").on("post").to(other));
    world.take(Fact.by("cid").on("post").to(kept));
    days.forEach(world::settle);
    for (Period day : days.subList(0, 3)) {
      world.now(Objects.requireNonNull(world.again(day).expiresAt()));
    }
    expiry.expire(duePeriods.expirableOnDemand(), done -> {});
    for (Period day : days.subList(0, 3)) {
      archives.move(day.id(), archives.folder(), "zoe", "long ago");
    }
    archives.write(days.get(3).id(), archives.folder());
    return days;
  }

  private Path files(Period period) {
    return archives.folder().resolve(period.board().value()).resolve(period.name().value());
  }

  /** The names of all files below the folder whose text has an id as a word. */
  private List<String> filesWith(String member) throws IOException {
    try (Stream<Path> files = Files.walk(archives.folder())) {
      return files
          .filter(file -> file.toString().endsWith(".csv.gz") && isIn(text(file), member))
          .map(Path::toString)
          .toList();
    }
  }

  private static String text(Path file) {
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertArchivesAreRight(List<Period> days, String pseudonym) throws IOException {
    assertThat(filesWith("cid")).isEmpty();
    assertThat(found("cid")).isEmpty();
    assertThat(text(files(days.get(0)).resolve("journal.csv.gz")))
        .contains(pseudonym + "-likes-2", "," + pseudonym + ",", "accident");
    assertThat(text(files(days.get(1)).resolve("journal.csv.gz")))
        .contains("the profile of " + pseudonym);
    assertThat(text(files(days.get(3)).resolve("lines.csv.gz"))).contains(pseudonym);
    for (Period day : days) {
      archives.check(files(day));
    }
    try (Stream<Path> all = Files.walk(archives.folder(), 2)) {
      assertThat(all.map(Path::toString).filter(path -> path.endsWith(".partial"))).isEmpty();
    }
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void archivesHaveThePseudonymAndMatchTheAuditLog() throws IOException {
    List<Period> days = archived();
    Path untouched = files(days.get(2)).resolve("SHA256SUMS");
    String before = Files.readString(untouched);
    assertThat(filesWith("cid")).isNotEmpty();
    Forgotten forgotten = forget("cid");
    assertThat(forgotten.remains()).isEmpty();
    assertThat(forgotten.archives())
        .containsExactlyInAnyOrder(days.get(0).label(), days.get(1).label(), days.get(3).label());
    assertArchivesAreRight(days, forgotten.pseudonym().value());
    assertThat(Files.readString(untouched)).isEqualTo(before);
    assertThat(records.words("select board from audit_entry where verb = 'rewrite-archive'"))
        .containsExactlyInAnyOrder(days.get(0).board().value(), days.get(1).board().value());
    assertThat(
            records.words(
                "select board from audit_entry where verb = 'archive' and period is not null"))
        .as("the entries of the archiving stay")
        .hasSize(3);
    for (String tampering :
        List.of(
            "update period set archive_hash = repeat('0', 64) where archived_at is not null",
            "delete from audit_entry where verb = 'rewrite-archive'",
            "update audit_entry set member = 'forgotten-x' where verb = 'rewrite-archive'",
            "update audit_entry set reason = replace(reason, '[', '[0')"
                + " where verb = 'rewrite-archive'")) {
      assertThat(servers.tampered(tampering, records::verify).named())
          .as(tampering)
          .extracting(Difference::what)
          .contains("archiving");
    }
  }

  /** The process dies before and after the hash is stored, and between the two folders. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void archivesAreCompletedByTheNextAttempt(int moment) throws IOException {
    List<Period> days = archived();
    Path path = files(days.get(0));
    Path fresh = path.resolveSibling(path.getFileName() + ".renamed.partial");
    Path former = path.resolveSibling(path.getFileName() + ".former.partial");
    if (moment == 0) {
      Files.createDirectories(fresh);
      Files.writeString(fresh.resolve("half"), "?");
    } else {
      Path copy = path.resolveSibling("copy");
      FileSystemUtils.copyRecursively(path, copy);
      failAtTheEnd();
      FileSystemUtils.copyRecursively(copy, moment == 1 ? path.resolveSibling("x") : former);
      if (moment == 1) {
        Files.move(path, fresh);
        Files.move(path.resolveSibling("x"), path);
      } else if (moment == 2) {
        Files.move(path, fresh);
      }
      FileSystemUtils.deleteRecursively(copy);
      assertThat(filesWith("cid")).isNotEmpty();
    }
    assertThat(archives.list(archives.folder(), null)).containsExactlyElementsOf(sorted(days));
    if (moment == 0) {
      archives.check(path);
    } else {
      assertThatThrownBy(() -> archives.check(path))
          .isInstanceOf(WrongState.class)
          .hasMessageStartingWith(path + " is being rewritten")
          .hasMessageContaining("repeat it with the same id");
    }
    assertArchivesAreRight(days, forget("cid").pseudonym().value());
  }

  private List<Path> sorted(List<Period> days) {
    return days.stream().map(this::files).sorted().toList();
  }

  /** An archive without a stored hash is nowhere under its name while its folders are exchanged. */
  @Test
  void aCopyBetweenItsTwoFoldersIsListedAndCompleted() throws IOException {
    List<Period> days = archived();
    Path path = files(days.get(3));
    Path former = path.resolveSibling(path.getFileName() + ".former.partial");
    Path copy = path.resolveSibling("copy");
    FileSystemUtils.copyRecursively(path, copy);
    failAtTheEnd();
    Files.move(path, path.resolveSibling(path.getFileName() + ".renamed.partial"));
    Files.move(copy, former);
    assertThat(archives.list(archives.folder(), null)).containsExactlyElementsOf(sorted(days));
    assertThatThrownBy(() -> archives.check(path)).hasMessageContaining("is being rewritten");
    assertArchivesAreRight(days, forget("cid").pseudonym().value());
  }

  /** Of two processes that find an archive between its folders, the one with the lease goes on. */
  @Test
  void twoProcessesDoNotExchangeAnArchiveAtOnce() throws IOException {
    List<Period> days = archived();
    Path path = files(days.get(0));
    Path fresh = path.resolveSibling(path.getFileName() + ".renamed.partial");
    Path old = elsewhere().resolve("old");
    FileSystemUtils.copyRecursively(path, old);
    failAtTheEnd();
    Path written = old.resolveSibling("written");
    FileSystemUtils.copyRecursively(path, written);
    MemberId pseudonym = new MemberId(records.words("select pseudonym from forgetting").get(0));
    for (int race = 0; race < 8; race++) {
      FileSystemUtils.deleteRecursively(path);
      FileSystemUtils.copyRecursively(old, path);
      FileSystemUtils.copyRecursively(written, fresh);
      Lease another = race == 0 ? leases.take(days.get(0).id(), "another").orElseThrow() : null;
      var first = CompletableFuture.supplyAsync(() -> exchanged(pseudonym));
      var second = CompletableFuture.supplyAsync(() -> exchanged(pseudonym));
      List<Boolean> done = List.of(first.join(), second.join());
      if (another != null) {
        assertThat(done).as("another process has the lease").containsOnly(false);
        assertThat(fresh).exists();
        assertThat(text(path.resolve("journal.csv.gz"))).contains("cid-likes-2");
        leases.release(another);
        done = List.of(exchanged(pseudonym));
      }
      assertThat(done).as("race %d", race).contains(true);
      archives.check(path);
      assertThat(text(path.resolve("journal.csv.gz"))).doesNotContain("cid-likes-2");
    }
    assertArchivesAreRight(days, forget("cid").pseudonym().value());
  }

  /** Whether the attempt was not refused. */
  private boolean exchanged(MemberId pseudonym) {
    try {
      Renamed renamed =
          forgottenArchives.rename(new MemberId("cid"), pseudonym, "request 7", "boss");
      assertThat(renamed.remains()).isEmpty();
      return true;
    } catch (ForgettingIncomplete busy) {
      return false;
    }
  }

  /** Half of an archive is none: the person may be in the whole one, wherever that is. */
  @Test
  void anArchiveOfWhichOnlyAHalfWrittenCopyIsHereIsElsewhere() throws IOException {
    List<Period> days = archived();
    Path path = files(days.get(0));
    Path elsewhere = elsewhere();
    Files.move(path, elsewhere.resolve("files"));
    Path fresh = path.resolveSibling(path.getFileName() + ".renamed.partial");
    Files.createDirectories(fresh);
    Files.writeString(fresh.resolve("half"), "?");
    assertThat(forgetting.plan(new MemberId("cid"), "request 7").remains())
        .singleElement()
        .asString()
        .contains(days.get(0).label());
    Forgotten forgotten = forget("cid");
    assertThat(forgotten.remains())
        .anySatisfy(archive -> assertThat(archive).contains(days.get(0).label()));
    Files.move(elsewhere.resolve("files"), path);
    forgottenArchives.complete(new MemberId("cid"), forgotten.pseudonym(), "request 7", "boss");
    assertArchivesAreRight(days, forgotten.pseudonym().value());
  }

  private Path elsewhere() throws IOException {
    Path elsewhere = archives.folder().resolveSibling("elsewhere-of-tests");
    FileSystemUtils.deleteRecursively(elsewhere);
    return Files.createDirectories(elsewhere);
  }

  /** Two people had the id, one after the other, and the archives of both were elsewhere. */
  @Test
  void anArchiveGetsThePseudonymOfThePersonWhoHadTheIdWhenItsPeriodEnded() throws IOException {
    List<Period> days = archived();
    Path elsewhere = elsewhere();
    Files.move(files(days.get(0)), elsewhere.resolve("first"));
    Forgotten first = forget("cid");
    Board board = world.board(Rules.day().with("actions: { like: 1 }"));
    Period later = world.open(board);
    world.take(Fact.by("cid").on("post").named("cid-likes-3").to(board));
    world.settle(later);
    world.now(Objects.requireNonNull(world.again(later).expiresAt()));
    expiry.expire(duePeriods.expirableOnDemand(), done -> {});
    archives.move(later.id(), archives.folder(), "zoe", "long ago");
    Files.move(elsewhere.resolve("first"), files(days.get(0)));

    Files.move(files(later), elsewhere.resolve("second"));
    Forgotten second = forget("cid");
    assertThat(second.archives()).isEmpty();
    assertThat(second.remains())
        .anySatisfy(
            archive ->
                assertThat(archive)
                    .startsWith(files(days.get(0)).toString())
                    .contains("whose period ended when somebody else had the id"))
        .anySatisfy(archive -> assertThat(archive).contains(later.label()));
    Files.move(elsewhere.resolve("second"), files(later));

    MemberId id = new MemberId("cid");
    Forgotten ofFirst = forgottenArchives.complete(id, first.pseudonym(), "request 7", "boss");
    assertThat(ofFirst.archives()).containsExactly(days.get(0).label());
    assertThat(ofFirst.remains())
        .singleElement()
        .asString()
        .startsWith(files(later) + ", whose period ended when somebody else had the id");
    Forgotten ofSecond = forgottenArchives.complete(id, second.pseudonym(), "request 8", "boss");
    assertThat(ofSecond.archives()).containsExactly(later.label());
    assertThat(ofSecond.remains()).isEmpty();
    assertThat(text(files(later).resolve("journal.csv.gz")))
        .contains(second.pseudonym().value())
        .doesNotContain(first.pseudonym().value());
    assertArchivesAreRight(days, first.pseudonym().value());
  }

  /** Others liked and invited them, and the journal of that is in files. */
  @Test
  void aPersonWhomOnlyAnArchiveNamesAsSubjectIsForgotten() throws IOException {
    Board board = world.board(Rules.day().with("actions: { like: 1 }"));
    Period day = world.open(board);
    world.take(Fact.by("kim").on("liked-only").to(board));
    world.take(Fact.by("dan").on("liked-only").to(board));
    world.settle(day);
    Plan plan = forgetting.plan(new MemberId("liked-only"), "request 7");
    assertThat(plan.touched()).containsEntry("events about the member", 2L);
    assertThat(plan.notes()).containsExactly(ONLY_SUBJECT.formatted(2, 0));
    world.now(Objects.requireNonNull(world.again(day).expiresAt()));
    expiry.expire(duePeriods.expirableOnDemand(), done -> {});
    archives.move(day.id(), archives.folder(), "zoe", "long ago");
    assertThat(text(files(day).resolve("journal.csv.gz"))).contains(",like,", ",applied,", ",1,");
    for (String other : List.of("liked", "like", "applied", "1", day.board().value())) {
      assertThatThrownBy(() -> forget(other))
          .as("%s, which is no member in the archive", other)
          .isInstanceOf(WrongState.class)
          .hasMessage(
              "there is no member with this id: no row has it as member or subject, and no archive"
                  + " that is here");
    }

    var read = new ArrayList<Long>();
    var progress =
        new Progress() {
          @Override
          public void periods(long done) {}

          @Override
          public void archivesRead(long done) {
            read.add(done);
          }
        };
    MemberId nobody = new MemberId("nobody-at-all");
    forgetting.requirePossible(nobody, "request 7");
    assertThat(read).as("a request does not wait until all archives are read").isEmpty();
    assertThatThrownBy(() -> forgetting.forget(nobody, "request 7", "boss", progress))
        .isInstanceOf(WrongState.class);
    assertThat(read).isNotEmpty();

    Path elsewhere = elsewhere();
    Files.move(files(day), elsewhere.resolve("files"));
    assertThatThrownBy(() -> forget("liked-only"))
        .hasMessageContaining("to search the archives of " + day.label());
    Files.move(elsewhere.resolve("files"), files(day));
    Forgotten forgotten = forget("liked-only");
    assertThat(forgotten.notes()).containsExactly(ONLY_SUBJECT.formatted(0, 1));
    assertThat(forgotten.archives()).containsExactly(day.label());
    assertThat(text(files(day).resolve("journal.csv.gz")))
        .contains(forgotten.pseudonym().value())
        .doesNotContain("liked-only");
    archives.check(files(day));
    assertThat(records.verify().named()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"liked-late", "quarantined"})
  void aPersonWhomOnlyWhatWasRefusedNamesIsForgotten(String where) {
    if (where.equals("liked-late")) {
      Board timed = world.board(Rules.day().with("clock: event").with("actions: { like: 1 }"));
      Instant longAgo = world.now().minus(Duration.ofDays(365));
      world.take(Fact.by("kim").on(where).to(timed).at(longAgo));
    } else {
      servers.sql(
          """
          insert into journal_quarantine (
            period_id, seq, entry, error, quarantined_at, resolution, resolved_by, resolved_at,
            reason)
          values (?, 2, convert_to(E'e7\\x1fquarantined\\x1flike\\x1f\\x1f1', 'UTF8'), 'refused',
            now(), 'discarded', 'zoe', now(), 'noise')
          """,
          week.id().value());
    }
    assertThatThrownBy(() -> forget("like"))
        .hasMessageContaining("there is no member with this id");
    assertThat(forget(where).notes())
        .isEqualTo(where.equals("liked-late") ? List.of(ONLY_SUBJECT.formatted(1, 0)) : List.of());
    assertThat(found(where)).isEmpty();
  }

  @Test
  void whoIsKnownAsAMemberIsNotSaidToBeOnlyASubjectAlsoByALaterAttempt() {
    assertThat(forgetting.plan(new MemberId("cid"), "request 7").notes()).isEmpty();
    failAtTheEnd();
    world.take(Fact.by("kim").on("cid").to(invites));
    assertThat(forgetting.plan(new MemberId("cid"), "request 7").notes())
        .as("the pseudonym has lines already")
        .isEmpty();
    assertThat(forget("cid").notes()).isEmpty();
  }

  /** While its files are compared, a whole rewriting takes place. */
  @Test
  void anArchiveThatIsWrittenAgainWhileItIsCheckedIsNotSaidToBeChanged() throws Exception {
    List<Period> days = archived();
    Path path = files(days.get(0));
    Path pipe = path.resolve("a.csv.gz");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var checked = CompletableFuture.runAsync(() -> archives.check(path));
    // A pipe is open for writing once the check reads it.
    var opened = CompletableFuture.supplyAsync(() -> open(pipe));
    CompletableFuture.anyOf(opened, checked).get(1, TimeUnit.MINUTES);
    try (var writer = opened.get(1, TimeUnit.MINUTES)) {
      Files.delete(pipe);
      forget("cid");
      assertThat(checked).isNotDone();
      assertThat(writer).isNotNull();
    }
    checked.get(1, TimeUnit.MINUTES);
  }

  private static OutputStream open(Path pipe) {
    try {
      return Files.newOutputStream(pipe, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An attempt that renames everything, and then cannot end. */
  private void failAtTheEnd() {
    servers.sql(
        """
        create function refuse_forget() returns trigger language plpgsql as
          $$ begin raise exception 'killed'; end $$
        """);
    servers.sql(
        """
        create trigger refuse_forget before insert on audit_entry
        for each row when (new.verb = 'forget') execute function refuse_forget()
        """);
    try {
      assertThatThrownBy(() -> forget("cid")).hasMessageContaining("killed");
    } finally {
      servers.sql("drop function refuse_forget cascade");
    }
  }

  @Test
  void anArchiveThatIsElsewhereIsNamedAndCompletedLater() throws IOException {
    List<Period> days = archived();
    Path elsewhere = elsewhere();
    Files.move(files(days.get(0)), elsewhere.resolve("files"));
    Forgotten forgotten = forget("cid");
    String pseudonym = forgotten.pseudonym().value();
    assertThat(forgotten.remains())
        .singleElement()
        .asString()
        .contains(days.get(0).label(), "palmares forget MEMBER --pseudonym " + pseudonym, "not in")
        .doesNotContain("cid", days.get(1).label());
    assertThat(records.verify().named()).isEmpty();
    Files.move(elsewhere.resolve("files"), files(days.get(0)));
    assertThatThrownBy(
            () ->
                forgottenArchives.complete(
                    new MemberId("cid"), new MemberId("forgotten-x"), "request 7", "boss"))
        .hasMessageContaining("nobody was forgotten under the pseudonym forgotten-x");
    assertThatThrownBy(
            () ->
                forgottenArchives.complete(
                    new MemberId("ann"), forgotten.pseudonym(), "request 7", "boss"))
        .hasMessageContaining("somebody else was forgotten under the pseudonym");
    Forgotten later =
        forgottenArchives.complete(new MemberId("cid"), forgotten.pseudonym(), "request 7", "boss");
    assertThat(later.remains()).isEmpty();
    assertThat(later.archives()).containsExactly(days.get(0).label());
    assertArchivesAreRight(days, pseudonym);
  }

  /** Receivers recognize what they have had by these references, and would pay again by others. */
  @Tag(EVERY_TABLE)
  @Test
  void theReferencesOfAPayoutDoNotChange() {
    Map<String, String> references = references();
    assertThat(references.values()).contains("cid");
    String pseudonym = forget("cid").pseudonym().value();
    var expected = new TreeMap<>(references);
    expected.replaceAll((reference, member) -> member.equals("cid") ? pseudonym : member);
    assertThat(references()).isEqualTo(expected);
    assertThat(references.keySet()).noneMatch(reference -> isIn(reference, "cid"));
    assertThat(
            servers.tampered("update forgotten_code set generation = 7", records::verify).named())
        .extracting(Difference::what)
        .contains("what renaming to %s changed".formatted(pseudonym));
  }

  /** Who takes part under the id of a forgotten person is somebody else, also to receivers. */
  @Test
  void eachPersonWithTheSameIdHasAnotherCode() {
    var had = new ArrayList<String>();
    for (int person = 0; person < 3; person++) {
      String code = codes.all().of("cid");
      assertThat(codes.of(List.of("cid")).of("cid")).isEqualTo(code);
      assertThat(had).doesNotContain(code);
      had.add(code);
      String pseudonym = forget("cid").pseudonym().value();
      assertThat(codes.all().of(pseudonym)).isEqualTo(code);
      assertThat(codes.of(List.of(pseudonym)).of(pseudonym)).isEqualTo(code);
      register("cid", null);
    }
  }

  private Map<String, String> references() {
    Payout payout = payouts.ofMonth(new Month(YearMonth.of(2026, 11), ZoneOffset.UTC), world.now());
    var references = new TreeMap<String, String>();
    payouts.each(
        payout, line -> references.put(payout.reference(line, codes.all()), line.member()));
    return references;
  }

  /** JSON and Java's serialization write these ids in other ways than PostgreSQL. */
  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "c\\d", "e\uD83D\uDE00f"})
  void anIdThatIsEncodedIsFoundNowhere(String member) throws Exception {
    String quoted = JsonMapper.shared().writeValueAsString(member);
    String inJson = quoted.substring(1, quoted.length() - 1);
    world.take(Fact.by(member).to(invites));
    exclude(member, "a bot");
    servers.sql(
        "insert into fact (type, subject, at, data) values ('period.held', 'x', now(), ?::json)",
        "{\"reason\":\"a newline:\\n%s, and %s\"}".formatted(inJson, inJson));
    servers.redis(
        redis ->
            redis
                .hashCommands()
                .hSet(
                    "palmares:answer:{other}".getBytes(UTF_8),
                    "body".getBytes(UTF_8),
                    "{\"member\":%s}".formatted(quoted).getBytes(UTF_8)));
    servers.sql(
        "insert into session (hash, created_at, seen_at, attributes)"
            + " values (repeat('c', 64), now(), now(), ?)",
        serialized(member));
    String pseudonym = forget(member).pseudonym().value();
    assertThat(records.words("select data::text from fact where data::text like '%a newline%'"))
        .containsExactly(
            "{\"reason\":\"a newline:\\n%s, and %s\"}".formatted(pseudonym, pseudonym));
    assertThat(records.number("select count(*) from event where member = ?", member)).isZero();
    servers.redis(
        redis ->
            assertThat(redis.keyCommands().exists("palmares:answer:{other}".getBytes(UTF_8)))
                .isFalse());
    assertThat(records.words("select hash from session")).doesNotContain("c".repeat(64));
    assertThat(records.verify().named()).isEmpty();
  }

  /** As a session keeps what was typed, which only the console's own class can read. */
  private static byte[] serialized(String member) throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(
          new HashMap<>(Map.of(Class.forName("palmares.console.FormDraft").getName(), member)));
    }
    return bytes.toByteArray();
  }

  /** A late event of a period that is renamed already, which no later step renames. */
  @Tag(EVERY_TABLE)
  @Test
  void whatIsStillNamedAtTheEndMakesItIncompleteAndTheNextAttemptRenamesIt() {
    assertThatThrownBy(
            () ->
                forgetting.forget(
                    new MemberId("cid"),
                    "request 7",
                    "boss",
                    done -> {
                      if (done == 5) {
                        servers.sql(
                            """
                            insert into late_event (
                              board, period, id, member, action, undo, quantity, occurred_at,
                              arrived_at)
                            select board, name, 'unknown', 'cid', 'like', false, 1, starts_at,
                              starts_at
                            from period order by id limit 1
                            """);
                      }
                    }))
        .isInstanceOf(ForgettingIncomplete.class)
        .hasMessageContaining("these columns have the id: late_event.member")
        .hasMessageNotContaining("cid");
    assertThat(records.number("select count(*) from forgetting")).isOne();
    forget("cid");
    assertThat(found("cid")).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  /** Every column that may hold a text is searched, or is listed here because it names nobody. */
  @Test
  void everyColumnThatMayNameAMemberIsSearched() {
    assertThat(
            records.words(
                """
                select relname || '.' || attname
                from pg_attribute
                join pg_class on pg_class.oid = attrelid
                where relnamespace = current_schema()::regnamespace
                  and relkind in ('r', 'p') and not relispartition
                  and relname !~ '^(qrtz|flyway|batch)_'
                  and attnum > 0 and not attisdropped
                  and format_type(atttypid, null) in (
                    'text', 'text[]', 'json', 'jsonb', 'bytea', 'character varying')
                  and attname !~ '^(board|period|state|hash|.*_hash|.*_by|by|pseudonym)$'
                except select place || '.' || field from member_text
                order by 1
                """))
        .containsExactly(NAMING_NOBODY.strip().split("\\s+"));
  }

  @Test
  void onePersonIsForgottenAtATime() {
    forgetting.forget(
        new MemberId("cid"),
        "request 7",
        "boss",
        done ->
            assertThatThrownBy(() -> forget("dan"))
                .isInstanceOf(WrongState.class)
                .hasMessageContaining("a person is being forgotten already"));
    assertThat(found("dan")).isNotEmpty();
    forget("dan");
    assertThat(found("dan")).isEmpty();
  }

  /** The connection that has the lock is idle for as long as the work takes. */
  @Test
  void aLockThatIsLostMakesNoFailureOfAPersonWhoIsForgotten() {
    Forgotten forgotten =
        forgetting.forget(
            new MemberId("cid"),
            "request 7",
            "boss",
            done -> {
              if (done == 0) {
                assertThat(
                        records.number(
                            """
                            select count(pg_terminate_backend(pid, 5000)) from pg_locks
                            where locktype = 'advisory'
                              and (classid::bigint << 32) + objid::bigint
                                = hashtextextended('forgetting', 0)
                            """))
                    .isOne();
              }
            });
    assertThat(forgotten.pseudonym().value()).startsWith("forgotten-");
    assertThat(found("cid")).isEmpty();
    forget("dan");
    assertThat(found("dan")).isEmpty();
  }

  /** What others write while a person is being forgotten names the pseudonym, too. */
  @Test
  void textsThatAreWrittenMeanwhileAreRenamedAndANewcomerIsNot() {
    forgetting.forget(
        new MemberId("cid"),
        "request 7",
        "boss",
        done -> {
          if (done == 0) {
            servers.sql("insert into board_pause values ('x', 'cid cheats', 'boss', now())");
          }
        });
    assertThat(found("cid")).isEmpty();
    forgetting.forget(
        new MemberId("dan"),
        "request 8",
        "boss",
        done -> {
          if (done == 0) {
            register("dan", null);
          }
        });
    assertThat(records.words("select id from member where id = 'dan'")).hasSize(1);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anAttemptThatMeetsALeaseSaysThatItIsIncompleteAndIsCompletedByTheNext() {
    Lease lease = leases.take(week.id(), "another process").orElseThrow();
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> forget("cid"))
          .isInstanceOf(ForgettingIncomplete.class)
          .hasMessageContaining("repeat the call")
          .hasMessageContaining("another process works on " + week.label());
    }
    assertThat(records.number("select count(*) from forgetting")).isOne();
    leases.release(lease);
    forget("cid");
    assertThat(found("cid")).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anAttemptThatMeetsAClosingSaysThatItIsIncompleteUntilThatIsSettled() {
    Board strict = world.board(NEEDS_APPROVAL);
    Period day = world.open(strict);
    world.take(Fact.by("cid").to(strict));
    assertThatThrownBy(
            () ->
                forgetting.forget(
                    new MemberId("cid"),
                    "request 7",
                    "boss",
                    done -> {
                      if (done == 0) {
                        world.close(day);
                      }
                    }))
        .isInstanceOf(ForgettingIncomplete.class)
        .hasMessageContaining(day.label() + " is held");
    assertThatThrownBy(() -> forget("cid"))
        .isInstanceOf(ForgettingIncomplete.class)
        .hasMessageContaining(day.label() + " is held: settle it first");
    approvals.approve(day.id(), new ApprovalDecision("boss", "right", null));
    world.settle(day);
    forget("cid");
    assertThat(found("cid")).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void twoForgottenPeopleAndLaterClosingsAndAmendmentsVerify() {
    String cid = forget("cid").pseudonym().value();
    forget("dan");
    world.settle(week);
    assertThat(records.verify().named()).isEmpty();
    exclusions.exclude(Terms.always(new MemberId("zoe"), ExclusionLevel.HIDDEN), "a bot", "boss");
    world.pass(Duration.ofMinutes(1));
    assertThat(amendments.prepare(week.id(), new AmendmentRequest("kim", "a bot", null, Map.of())))
        .isPresent();
    amendments.approve(week.id(), null, "boss", "right so");
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.published(week)).extracting(Line::member).contains(cid);
    assertThat(found("cid")).isEmpty();
    assertThat(found("dan")).isEmpty();
  }

  @Test
  void itIsSaidThatEventsOfOthersCountAgainIfTheirIdsContainTheId() {
    assertThat(plan("cid").notes()).as("its own event contains it").isEmpty();
    Fact gift = Fact.by("zoe").on("post").to(invites).named("gift-for-cid");
    Fact other = Fact.by("zoe").on("another post").to(invites).named("gift-for-acid");
    world.take(List.of(gift, other));
    assertThat(plan("cid").notes())
        .containsExactly(
            "events of other people in open periods, whose own ids contain the id: 1; it is"
                + " replaced there, so one of these that is sent again counts again");
    assertThat(forget("cid").notes()).hasSize(1);
    assertThat(world.take(other).kind()).isEqualTo(Kind.DUPLICATE);
    Fact repeat = Fact.by("zoe").on("a third post").to(invites).named("gift-for-cid");
    assertThat(world.take(repeat).kind()).as("as the note says").isEqualTo(Kind.APPLIED);
    assertThat(records.verify().named()).isEmpty();
  }

  private Plan plan(String member) {
    return forgetting.plan(new MemberId(member), "request 7");
  }

  @Test
  void theSameIdIsANewPersonAfterwards() {
    forget("cid");
    assertThat(register("cid", null)).isNotEqualTo(code);
    world.take(Fact.by("cid").on("post").to(invites).named("cid-likes-1"));
    assertThat(records.points(week, "cid")).isEqualTo(1);
    assertThat(records.balance("cid")).isZero();
    world.settle(week);
    assertThat(records.verify().named()).isEmpty();
  }

  /** Nobody can know that they are the same, so an inviter is credited for both. */
  @Test
  void whoRegistersAgainWithTheSameExternalIdIsANewPersonWhoIsNotLinkedToThePseudonym() {
    long credited = records.points(week, "cid");
    String pseudonym = forget("dan").pseudonym().value();
    register("dan", code);
    world.take(Fact.by("cid").on("picture").to(invites).named("cid-likes-2"));
    assertThat(records.points(week, "cid")).isEqualTo(credited + 100 + 1);
    assertThat(
            records.words(
                "select id from member where external_hash ="
                    + " (select external_hash from member where id = 'dan')"))
        .containsExactly("dan");
    assertThat(records.words("select newcomer from invite where inviter = 'cid' order by newcomer"))
        .containsExactlyInAnyOrder("dan", pseudonym);
    assertThat(found(pseudonym))
        .filteredOn(row -> !row.startsWith("palmares:")) // A live board has the lines of both.
        .isNotEmpty()
        .noneMatch(row -> isIn(row, "dan"));
  }

  /** An attempt that dies after its n-th period is completed by the next one. */
  @Tag(EVERY_TABLE)
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 6})
  void anAttemptThatDiesIsCompletedByTheNext(int periods) {
    Map<String, String> balances = balances();
    assertThatThrownBy(
            () ->
                forgetting.forget(
                    new MemberId("cid"),
                    "request 7",
                    "boss",
                    done -> {
                      if (done == periods) {
                        throw new IllegalStateException("killed");
                      }
                    }))
        .hasMessage("killed");
    String pseudonym = records.words("select pseudonym from forgetting").get(0);
    assertThat(forget("cid").pseudonym().value()).isEqualTo(pseudonym);
    assertThat(found("cid")).isEmpty();
    assertThat(records.verify().named()).isEmpty();
    assertThat(balances()).isEqualTo(renamedKeys(balances, "cid", pseudonym));
  }

  /** Exclusions and registrations are renamed before the boards and lines of each period. */
  @Test
  void exclusionsAndRegistrationsCountInAClosingMeanwhile() {
    Board board =
        world.board(
            Rules.day()
                .with("actions: { like: 1 }")
                .with("rewards: [{ rule: each, taking-part: 7 }]")
                .with("payout: { eligible: registered }"));
    Period registered = world.open(board);
    world.take(Fact.by("cid").to(board));
    assertThatThrownBy(
            () ->
                forgetting.forget(
                    new MemberId("cid"),
                    "request 7",
                    "boss",
                    done -> {
                      throw new IllegalStateException("killed");
                    }))
        .hasMessage("killed");
    world.settle(week);
    world.settle(registered);
    assertThat(records.published(week).get(0).member()).isEqualTo("cid");
    assertThat(records.paid(week)).doesNotContainKey("cid podium");
    assertThat(records.paid(registered)).isEqualTo(Map.of("cid each", 7L));
    String pseudonym = forget("cid").pseudonym().value();
    assertThat(records.paid(week)).doesNotContainKey(pseudonym + " podium");
    assertThat(records.paid(registered)).isEqualTo(Map.of(pseudonym + " each", 7L));
    assertThat(found("cid")).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  /** Its changes are not proved yet, so a verification is not clean, and says nothing else. */
  @Tag(EVERY_TABLE)
  @ParameterizedTest
  @ValueSource(strings = {"cid", "dan"})
  void aVerificationMeanwhileSaysThatAForgettingIsUnderWay(String member) {
    var findings = new ArrayList<List<String>>();
    assertThatThrownBy(
            () ->
                forgetting.forget(
                    new MemberId(member),
                    "request 7",
                    "boss",
                    done -> {
                      findings.add(sentences());
                      if (done == 6) {
                        throw new IllegalStateException("killed");
                      }
                    }))
        .hasMessage("killed");
    findings.add(sentences());
    String pseudonym = records.words("select pseudonym from forgetting").get(0);
    String underWay = "extra: forgetting of %s: under way since 20".formatted(pseudonym);
    assertThat(findings).hasSize(8);
    assertThat(findings)
        .allSatisfy(
            found ->
                assertThat(found)
                    .singleElement()
                    .asString()
                    .startsWith(underWay)
                    .endsWith("run palmares forget with the same id again to end it"));
    forget(member);
    assertThat(sentences()).isEmpty();
  }

  private List<String> sentences() {
    return records.verify().named().stream().map(Difference::sentence).toList();
  }

  @Test
  void aPersonInAClosingOrAnAmendmentIsNotForgottenYet() {
    Board strict = world.board(Contest.rules().with("payout: { approval: required }"));
    Period held = world.open(strict);
    world.take(Fact.by("cid").does("invite").on("x").to(strict));
    world.close(held);
    assertThat(world.again(held).state()).isEqualTo(PeriodState.HELD);
    assertRefused("cid", held.label() + " is held: settle it first");
    assertRefused("nobody", "there is no member with this id");
    assertThatThrownBy(
            () -> forgetting.forget(new MemberId("eve"), "eve asked", "boss", done -> {}))
        .hasMessageContaining("contains the member's id: give another reason");
    assertThat(records.number("select count(*) from forgetting")).isZero();
  }

  private void assertRefused(String member, String message) {
    assertThatThrownBy(() -> forget(member))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining(message);
    assertThat(found(member).isEmpty()).isEqualTo(member.equals("nobody"));
  }

  /** The order of lines that only the ids distinguish is that of the pseudonym, too. */
  @Test
  void aPseudonymKeepsThePlaceAmongEqualLines() {
    Board adopted = world.board(Rules.adopting("eq:{period}", "points").text());
    Period day = world.open(adopted);
    servers.redis(
        redis -> {
          for (String member : List.of("n1", "n3", "n9")) {
            redis
                .zSetCommands()
                .zAdd(("eq:" + day.name()).getBytes(UTF_8), 7, member.getBytes(UTF_8));
          }
          return true;
        });
    world.settle(day);
    String pseudonym = forget("n3").pseudonym().value();
    assertThat(records.published(day))
        .extracting(Line::member)
        .containsExactly("n9", pseudonym, "n1");
    assertThat(records.verify().named()).isEmpty();
  }

  /** What a forgetting leaves behind cannot hide another change. */
  @Tag(EVERY_TABLE)
  @Test
  void whatAForgettingDidNotChangeIsFound() {
    var findings =
        Map.of(
            "insert into forgotten_sum select 'payments', min(id), 'forgotten-x', 1 from revision",
            "what renaming to forgotten-x changed",
            "update forgotten_sum set difference = difference + 1",
            "what renaming to",
            "delete from forgotten_sum",
            "what renaming to",
            "insert into forgotten_audit_entry select min(id), 'forgotten-x', 'x' from audit_entry",
            "what renaming to forgotten-x changed",
            "update audit_entry set reason = 'request 7' where verb = 'forget'",
            "what renaming to",
            "update manifest set body = body || 'x',"
                + " renamed_hash = encode(sha256(convert_to(body || 'x', 'UTF8')), 'hex')",
            "renamed manifest of revision",
            "insert into forgetting values ('bea', 'forgotten-y', '9999-01-01')",
            "forgetting of forgotten-y",
            "insert into audit_entry (at, by, verb, member, reason)"
                + " values (now(), 'boss', 'forget', 'forgotten-z', 'request 8 [00ff]')",
            "what renaming to forgotten-z changed");
    forget("cid");
    assertThat(records.verify().named()).isEmpty();
    findings.forEach(
        (sql, finding) ->
            assertThat(servers.tampered(sql, records::verify).named())
                .as(sql)
                .extracting(Difference::what)
                .anyMatch(what -> what.startsWith(finding)));
  }

  /** The setting that lets names change lets nothing else change. */
  @Tag(EVERY_TABLE)
  @Test
  void forgettingChangesNothingButNames() {
    for (String sql :
        List.of(
            "update approval set by = 'other'",
            "update approval set at = now()",
            "update audit_link set hash = 'x'",
            "update audit_entry set verb = 'other'",
            "update manifest set hash = renamed_hash",
            "update manifest_link set hash = 'x'",
            "update acknowledged_loss set members = 0",
            "update payment set amount = amount + 1",
            "update payment_shared set amount = amount + 1",
            "update line set points = points + 1",
            "update line_shared set place = 1",
            "update revision set payment_sum = 0 where posted_at is not null",
            "update exclusion set level = 'hidden'")) {
      assertThatThrownBy(
              () ->
                  transaction.executeWithoutResult(
                      status -> {
                        records.words("select set_config('palmares.forgetting', 'on', true)");
                        jdbc.sql(sql).update();
                      }))
          .as(sql)
          .isInstanceOf(DataIntegrityViolationException.class)
          .hasMessageMatching("(?s).*(refused|never edited).*");
    }
  }

  private Map<String, String> balances() {
    var balances = new HashMap<String, String>();
    records
        .words(
            """
            select concat_ws('|', kind, account, currency, balance) from trial_balance
            """)
        .forEach(line -> balances.put(line.substring(0, line.lastIndexOf('|')), line));
    balances.replaceAll((account, line) -> line.substring(line.lastIndexOf('|') + 1));
    return balances;
  }

  private static Map<String, String> renamedKeys(
      Map<String, String> balances, String member, String pseudonym) {
    var renamed = new HashMap<String, String>();
    balances.forEach(
        (account, balance) ->
            renamed.put(account.replace("|" + member + "|", "|" + pseudonym + "|"), balance));
    return renamed;
  }

  /**
   * Where a text is a whole word, in any row of PostgreSQL or any key of Redis. The bytes of
   * columns are read as text.
   */
  private List<String> found(String text) {
    var found = new ArrayList<String>();
    String everyRow =
        records
            .words(
                """
                select format('select concat_ws(%L, %L, t::text%s) from %I t',
                  ' ', relname,
                  string_agg(
                    format(', regexp_replace(encode(%I, %L), %L, %L, %L)',
                      attname, 'escape', '\\\\[0-7]{3}', ' ', 'g'),
                    '') filter (where attname is not null),
                  relname)
                from pg_class
                left join pg_attribute on attrelid = pg_class.oid and atttypid = 'bytea'::regtype
                  and not attisdropped
                where relnamespace = current_schema()::regnamespace and relkind = 'r'
                group by relname
                """)
            .stream()
            .collect(Collectors.joining(" union all "));
    records.words(everyRow).stream().filter(row -> isIn(row, text)).forEach(found::add);
    servers.redis(
        connection -> {
          for (byte[] key : Objects.requireNonNull(connection.keyCommands().keys("*".getBytes()))) {
            String content = new String(key, UTF_8) + " " + content(connection, key);
            // On wide boards, digits precede the id.
            if (Pattern.compile(Pattern.quote(text) + "(?![A-Za-z0-9])").matcher(content).find()) {
              found.add(content);
            }
          }
          return true;
        });
    return found;
  }

  private static boolean isIn(String content, String text) {
    return content.contains(text)
        && Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(text) + "(?![A-Za-z0-9])")
            .matcher(content)
            .find();
  }

  private static String content(RedisConnection redis, byte[] key) {
    var parts = new ArrayList<byte[]>();
    switch (Objects.requireNonNull(redis.keyCommands().type(key))) {
      case HASH ->
          Objects.requireNonNull(redis.hashCommands().hGetAll(key))
              .forEach(
                  (field, value) -> {
                    parts.add(field);
                    parts.add(value);
                  });
      case ZSET -> parts.addAll(Objects.requireNonNull(redis.zSetCommands().zRange(key, 0, -1)));
      case STREAM ->
          Objects.requireNonNull(redis.streamCommands().xRange(key, Range.unbounded()))
              .forEach(entry -> parts.addAll(entry.getValue().values()));
      case STRING -> parts.add(redis.stringCommands().get(key));
      default -> throw new AssertionError(new String(key, UTF_8));
    }
    var text = new StringBuilder();
    parts.forEach(part -> text.append(' ').append(new String(part, UTF_8)));
    return text.toString();
  }
}
