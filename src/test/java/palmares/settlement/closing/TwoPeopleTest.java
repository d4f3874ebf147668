package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.live.intake.EventOrigin;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Where two people must approve, two who did not shape the outcome stand behind what is paid. */
@WorldTest
class TwoPeopleTest {
  private static final String PODIUM =
      "rewards: [{ rule: podium, ranks: { 1: 1000, 2-3: 300, 4: 5 }, ties: each }]";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private Amendments amendments;
  @Autowired private ImportRuns imports;
  @Autowired private Exclusions exclusions;
  @Autowired private Revisions revisions;
  @Autowired private ApiKeys keys;
  @Autowired private AuditLog auditLog;
  @Autowired private Sweep sweep;
  @Autowired private TransactionTemplate transaction;
  @LocalServerPort private int port;

  /** Its phase advances with each attempt that has an answer. */
  private final Phaser answered = new Phaser(1);

  private @Nullable Exclusion excluded;

  private Period played(String rewards) {
    Rules rules = Contest.rules().with(rewards).with("payout: { approval: two-person }");
    Period day = world.open(world.board(rules));
    world.take(Contest.facts());
    return day;
  }

  private ClosingResult go(Period day) {
    return closings.close(day.id(), ClosingCause.of("schedule"), step -> {});
  }

  private List<String> approve(Period day, String by) {
    return approvals.approve(day.id(), answer(day, by, null)).stream().map(Texts::english).toList();
  }

  private ApprovalDecision answer(Period day, String by, @Nullable Ties ties) {
    return new ApprovalDecision(
        by, "fine", ties, revisions.find(day.id(), 1).orElseThrow().digest());
  }

  private long paid() {
    return records.number("select count(*) from transfer");
  }

  @Test
  void aScheduledClosingIsPaidAfterTheSecondApproval() {
    Period day = played(PODIUM);
    world.close(day);
    assertThat(approve(day, "ann"))
        .containsExactly("ann approved it; another person must approve it too");
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    for (String same : List.of("ann", "Ann", " ann ")) {
      assertThatThrownBy(() -> approve(day, same))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
          .hasMessageContaining("has approved it already");
    }
    assertThat(paid()).isZero();
    assertThat(approve(day, "bob")).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.words("select body from manifest").get(0))
        .containsPattern("approved-by: ann at .*: fine; bob at .*: fine\n");
    assertThat(records.verify().named()).isEmpty();
    assertThat(servers.tampered("delete from approval where by = 'ann'", records::verify).named())
        .extracting(found -> Texts.english(found.what()))
        .contains("approval of revision 1");
  }

  /** The clock of the database may go back, as at a failover. */
  @Test
  void approvalsAfterTheClockWentBackAreNoDifference() {
    Period day = played(PODIUM);
    world.due(day);
    world.pass(Duration.ofHours(1));
    go(day);
    world.now(world.now().minusSeconds(60));
    approve(day, "ann");
    approve(day, "bob");
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.verify().named()).isEmpty();
  }

  /** Times are as a process gives them whose clock is a minute before or behind. */
  @Test
  void whoShapedAnOutcomeDependsOnNoClock() {
    Period day = played(PODIUM);
    enter("ann", "rebuild", day, world.now().plus(Duration.ofDays(9)));
    world.close(day);
    enter("bob", "rebuild", day, world.now().minusSeconds(60));
    assertThatThrownBy(() -> approve(day, "ann"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
        .hasMessageContaining("by rebuilding its board");
    assertThat(approve(day, "bob")).as("rebuilt afterwards").hasSize(1);
    assertThat(approve(day, "cid")).isEmpty();
    world.settle(day);
    enter("ann", "dismiss", day, world.now().plus(Duration.ofDays(9)));
    amend(day, "zoe", 500);
    enter("bob", "dismiss", day, world.now().minusSeconds(60));
    assertThatThrownBy(() -> amendments.approve(day.id(), 2, "ann", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
        .hasMessageContaining("by a decision on a late event");
    assertThat(amendments.approve(day.id(), 2, "bob", "fine").heldFor())
        .extracting(Texts::english)
        .containsExactly("bob approved it; another person must approve it too");
  }

  private void enter(String by, String verb, Period day, Instant at) {
    var entry =
        new AuditEntry(by, verb, day.board().value(), day.name().value(), null, null, "a test");
    transaction.executeWithoutResult(status -> auditLog.append(entry, at));
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "close-due"})
  void aPersonWhoClosedByHandIsNeitherOfTheTwo(String command) {
    Period day = played(PODIUM);
    world.due(day);
    closings.close(day.id(), new ClosingCause(command, "bob"), step -> {});
    assertThat(approve(day, "ann")).as("one of two").hasSize(1);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(paid()).isZero();
    for (String closer : List.of("bob", "local:bob")) {
      assertThatThrownBy(() -> approve(day, closer))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
          .hasMessageContaining("shaped the outcome by closing it");
      assertThatThrownBy(() -> store(day, 1, closer))
          .isInstanceOf(DataIntegrityViolationException.class);
    }
    assertThat(approve(day, "cid")).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
  }

  @Test
  void whoClosedByAKeyIsItsOwnerAndNeitherOfTheTwo() {
    Api.ownKey(keys, "bob-cli", "bob", Role.OPERATOR, Role.APPROVER);
    Period day = played(PODIUM);
    world.due(day);
    closings.close(day.id(), new ClosingCause("close", "key:bob-cli"), step -> {});
    assertThat(approve(day, "ann")).hasSize(1);
    for (String closer : List.of("bob", "key:bob-cli")) {
      assertThatThrownBy(() -> approve(day, closer))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    }
    assertThat(approve(day, "cid")).isEmpty();
  }

  /** Ann, an admin, makes a key that Bob gets; then Bob has two names. */
  @Test
  void aKeyThatAnAdminMadeForSomebodyNeverCountsAsASecondPerson() {
    var approving = new NewKey("bob-cli", Set.of(Role.OPERATOR, Role.APPROVER), Set.of(), null);
    assertThatThrownBy(() -> keys.create(approving, "ann", "for bob"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("a program's key cannot approve");
    keys.create(new NewKey("bob-cli", Set.of(Role.OPERATOR), Set.of(), null), "ann", "for bob");
    for (String change :
        List.of("roles = '{approver}'", "own = true", "owner = 'cid'", "created_by = 'bob'")) {
      assertThatThrownBy(() -> servers.sql("update api_key set " + change))
          .as(change)
          .isInstanceOf(DataIntegrityViolationException.class);
    }
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "bob");
    for (String second : List.of("key:bob-cli", " KEY:Bob-cli", "key:nobodys")) {
      assertThatThrownBy(() -> approve(day, second))
          .as(second)
          .isInstanceOf(DataIntegrityViolationException.class)
          .hasMessageContaining("is no key that its owner made for own use");
    }
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(paid()).isZero();
    Api.ownKey(keys, "cid-cli", "cid", Role.APPROVER);
    assertThat(approve(day, "key:cid-cli")).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.verify().named()).isEmpty();
  }

  /** The shell of this test allows it, as its own settings say. */
  @Test
  void whereServersForbidItNobodyApprovesFromAShell() {
    servers.sql(
        """
        insert into approval_setting (local_approvals, process, at)
        values (false, 'a server', now())
        on conflict (single) do update set local_approvals = false
        """);
    try {
      Api.ownKey(keys, "made-in-a-shell", "local:ann", Role.APPROVER);
      Api.ownKey(keys, "made-by-that-key", "key:made-in-a-shell", Role.APPROVER);
      Period day = played(PODIUM);
      world.close(day);
      for (String local :
          List.of("local:ann", " LOCAL:ann", "key:made-in-a-shell", " Key:Made-By-That-Key")) {
        assertThatThrownBy(() -> approve(day, local))
            .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
        assertThatThrownBy(() -> store(day, 1, local))
            .as(local)
            .isInstanceOf(DataIntegrityViolationException.class)
            .hasMessageContaining("is the user of a shell");
      }
      assertThat(approve(day, "ann")).hasSize(1);
      Api.ownKey(keys, "made-in-a-session", "cid", Role.APPROVER);
      Api.ownKey(keys, "cids-of-a-shell", "local:cid", Role.OPERATOR);
      for (String shell : List.of("local:cid", "key:cids-of-a-shell")) {
        assertThatThrownBy(() -> rotate("made-in-a-session", shell))
            .as(shell)
            .hasFieldOrPropertyWithValue("problem", Problem.ACCOUNT_REFUSED);
      }
      assertThat(rotate("made-in-a-shell", "local:ann")).startsWith("pal_");
      assertThat(rotate("made-in-a-session", "cid")).startsWith("pal_");
    } finally {
      servers.sql("update approval_setting set local_approvals = true");
    }
  }

  private String rotate(String key, String by) {
    return keys.rotate(key, Duration.ZERO, Duration.ofDays(1), by, "a test");
  }

  @Test
  void whatAProgramsKeyShapesCountsForItsOwner() {
    keys.create(new NewKey("night", Set.of(Role.OPERATOR), Set.of(), null), "ann", "closes");
    Period day = played(PODIUM);
    world.due(day);
    closings.close(day.id(), new ClosingCause("close", "key:night"), step -> {});
    assertThatThrownBy(() -> approve(day, "ann"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPersonWhoExcludedOrReadmittedAMemberIsNeitherOfTheTwo(boolean lifts) {
    Period day = played(PODIUM);
    var made =
        exclusions.exclude(
            Terms.always(new MemberId("dan"), ExclusionLevel.HIDDEN),
            "cheats",
            lifts ? "zoe" : "bob");
    if (lifts) {
      exclusions.lift(made.id(), "is innocent", "bob");
    }
    var stranger = Terms.always(new MemberId("stranger"), ExclusionLevel.HIDDEN);
    exclusions.exclude(stranger, "not on this board", "ann");
    world.due(day);
    closings.close(day.id(), new ClosingCause("close", "bob"), step -> {});
    assertThat(approve(day, "ann")).as("bob does not count").hasSize(1);
    assertThatThrownBy(() -> approve(day, "BOB"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(approve(day, "cid")).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aPersonWhoDecidesOnTiesIsNeitherOfTheTwo() {
    Period day = played("rewards: [{ rule: podium, ranks: { 1: 9, 2: 5 }, ties: hold }]");
    world.close(day);
    assertThat(approvals.approve(day.id(), answer(day, "ann", Ties.EACH)))
        .extracting(Texts::english)
        .containsExactly("ties are decided; two other people must approve it");
    assertThatThrownBy(() -> approve(day, "ann"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
        .hasMessageContaining("shaped the outcome by a decision on ties");
    assertThat(approve(day, "bob")).hasSize(1);
    ApprovalDecision shared = answer(day, "cid", Ties.SHARE);
    assertThat(approvals.approve(day.id(), shared)).as("what bob approved is no more").hasSize(1);
    assertThat(
            records.words(
                "select details->>'digest' from audit_entry where verb = 'decide-ties' order by"
                    + " id"))
        .as("what each person was shown")
        .hasSize(2)
        .endsWith(shared.expect());
    assertThat(approve(day, "ann")).hasSize(1);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(approve(day, "bob")).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.words("select ties || ' ' || ties_by from revision"))
        .containsExactly("share cid");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aPersonWhoRequestedOrCorrectedIsNeitherOfTheTwo() {
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "ann");
    approve(day, "bob");
    world.settle(day);
    amend(day, "ann", 500);
    assertThatThrownBy(() -> amendments.approve(day.id(), 2, "ann", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    assertThat(amendments.approve(day.id(), 2, "bob", "fine").transfers()).isNull();
    assertThat(world.again(day).revision()).isEqualTo(1);
    assertThat(amendments.approve(day.id(), 2, "cid", "fine").transfers()).isNotNull();
    amend(day, "bob", 600);
    for (String shaper : List.of("ann", "bob")) {
      assertThatThrownBy(() -> amendments.approve(day.id(), 3, shaper, "mine"))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    }
    amendments.approve(day.id(), 3, "cid", "fine");
    amendments.approve(day.id(), 3, "dan", "fine");
    assertThat(world.again(day).revision()).isEqualTo(3);
    assertThat(records.verify().named()).isEmpty();
  }

  private void amend(Period day, String by, long points) {
    var put = Map.of(new MemberId("dan"), points);
    amendments.prepare(day.id(), new AmendmentRequest(by, "miscounted", null, put));
  }

  @Test
  void aPersonWhoRestartedAClosingMayNotApproveIt() {
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "ann");
    approvals.reject(day.id(), new ApprovalDecision("zoe", "no", null));
    approvals.restart(day.id(), new ApprovalDecision("ann", "again", null));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    for (String same : List.of("ann", "Ann", " ann ")) {
      assertThatThrownBy(() -> approve(day, same))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
          .hasMessageContaining("shaped the outcome by restarting it");
    }
    assertThat(approve(day, "zoe")).as("an approval from before the restart").hasSize(1);
    assertThat(approve(day, "bob")).isEmpty();
  }

  @Test
  void aPersonWhoImportedEventsIsNeitherOfTheTwo() {
    Rules rules = Contest.rules().with(PODIUM).with("payout: { approval: two-person }");
    Period day = world.open(world.board(rules));
    var run = imports.begin("facts.ndjson", "local:ann");
    var facts = Contest.facts().stream().map(fact -> fact.at(world.now())).toList();
    world.takeAll(facts, new EventOrigin.History(run));
    imports.end(run, imports.now());
    assertThat(
            records.words(
                "select concat_ws(' ', by, board, details->'import', details->>'sources',"
                    + " details->>'first', details->>'last', details->'periods')"
                    + " from audit_entry where verb = 'import'"))
        .containsExactly(
            "local:ann %s %d facts.ndjson %s %s 1"
                .formatted(day.board(), run.id(), day.name(), day.name()));
    assertThat(auditLog.list(day.board().value(), day.name().value(), null, 9)).hasSize(1);
    assertThat(auditLog.list(day.board().value(), "2026-01-01", null, 9)).isEmpty();
    world.close(day);
    for (String same : List.of("ann", "local:ann")) {
      assertThatThrownBy(() -> approve(day, same))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
          .hasMessageContaining("shaped the outcome by importing its events");
      assertThatThrownBy(() -> store(day, 1, same))
          .isInstanceOf(DataIntegrityViolationException.class);
    }
    assertThat(approve(day, "bob")).hasSize(1);
    assertThat(approve(day, "cid")).isEmpty();
    world.settle(day);
    amend(day, "bob", 500);
    assertThatThrownBy(() -> amendments.approve(day.id(), 2, "ann", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    var again = imports.begin("facts.ndjson", "local:dan");
    world.takeAll(facts, new EventOrigin.History(again));
    imports.end(again, imports.now());
    assertThat(records.number("select count(*) from audit_entry where verb = 'import'"))
        .as("who imports into a sealed period changes nothing in it")
        .isOne();
    assertThat(records.verify().named()).isEmpty();
    for (String change :
        List.of(
            "delete from imported_period",
            "update imported_period set entered_at = null",
            "update import_run set by = 'eve'",
            "update audit_entry set at = 'infinity' where verb = 'import'",
            "update audit_entry set details = details || '{\"periods\": \"many\"}'"
                + " where verb = 'import'",
            "update audit_entry set details = details || '{\"import\": {}}' where verb ="
                + " 'import'")) {
      assertThat(servers.tampered(change, records::verify).named())
          .as(change)
          .anyMatch(found -> Texts.english(found.what()).startsWith("audit entry: import"));
    }
  }

  @Test
  void anImportThatWasKilledGetsItsEntryOnce() {
    Board board = world.board(Contest.rules());
    var run = imports.begin("facts.ndjson", "local:ann");
    for (int day = 0; day < 3; day++) {
      var facts = List.of(Contest.facts().get(0).to(board).at(world.now()));
      world.take(facts, new EventOrigin.History(run));
      world.pass(Duration.ofDays(1));
      imports.beat(run);
    }
    sweep.prepare();
    String entries = "select details->>'periods' from audit_entry where verb = 'import'";
    assertThat(records.words(entries)).as("it runs").isEmpty();
    world.pass(Duration.ofMinutes(1));
    sweep.prepare();
    sweep.prepare();
    assertThat(records.words(entries)).containsExactly("3");
    assertThat(records.verify().named()).isEmpty();
  }

  /** Its payment may have failed since, and a restart continues what failed. */
  @Test
  void aRestartOfAnApprovedClosingComputesNothingAndKeepsItsApprovals() {
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "ann");
    approve(day, "bob");
    approvals.restart(day.id(), new ApprovalDecision("ann", "continue", null));
    ClosingResult paid = go(day);
    assertThat(paid.outcome()).as(paid.text()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theDatabaseRefusesAPostingWithOneApproval() {
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "ann");
    servers.sql(
        """
        update revision
        set verdict = 'approved', decided_by = 'ann', decided_at = now(), verdict_reason = 'mine'
        """);
    servers.sql("update period set state = 'approved'");
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(paid()).isZero();
    assertThatThrownBy(
            () ->
                servers.sql(
                    """
                    update revision
                    set posted_at = now(), fence = period.fence
                    from period
                    where period.id = revision.period_id
                    """))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("two people must approve it");
  }

  @Test
  void concurrentApprovalsByOneNameCountOnceAndThePeriodIsPaidOnce() throws Exception {
    Period day = played(PODIUM);
    world.close(day);
    assertThat(atOnce(day, "ann", "ANN", "ann", "Ann")).isZero();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(atOnce(day, "bob", "bob", "cid", "cid")).isEqualTo(1);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(paid()).isEqualTo(4);
    assertThat(records.verify().named()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ann", "Ann", "local:ann", " LOCAL:Ann ", "key:of-ann"})
  void onePersonIsOneByEachOfItsNames(String alias) {
    servers.sql(
        """
        insert into api_key (name, roles, boards, owner, own, created_by, created_at)
        values ('of-ann', '{approver}', '{}', 'ann', true, 'ann', now())
        """);
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "ann");
    assertThatThrownBy(() -> approve(day, alias))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    approve(day, "bob");
    world.settle(day);
    amend(day, alias, 500);
    assertThatThrownBy(() -> amendments.approve(day.id(), 2, "ann", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    assertThatThrownBy(() -> store(day, 2, "ann"))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("ann shaped the outcome (");
  }

  /** Stores an approval as no part of the program does. */
  private void store(Period day, int revision, String by) {
    servers.sql(
        """
        insert into approval (period_id, revision, by, at, reason)
        values (?, ?, ?, now(), 'sneaked in')
        """,
        day.id().value(),
        revision,
        by);
  }

  @Test
  void whoMadeAWeakerExclusionOfAMemberMayNotApproveEither() {
    Period day = played(PODIUM);
    var dan = new MemberId("dan");
    exclusions.exclude(Terms.always(dan, ExclusionLevel.HIDDEN), "cheats", "zoe");
    exclusions.exclude(Terms.always(dan, ExclusionLevel.NO_PRIZE), "is staff", "bob");
    world.close(day);
    for (String excluder : List.of("zoe", "bob")) {
      assertThatThrownBy(() -> approve(day, excluder))
          .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
          .hasMessageContaining("by an exclusion");
    }
  }

  /** A period whose amendments need two people. */
  private Period settled() {
    Period day = played(PODIUM);
    world.close(day);
    approve(day, "ann");
    approve(day, "bob");
    return world.settle(day);
  }

  private void assertOnlyOthersApproved() {
    assertThat(records.number("select count(*) from approval where person(by) = 'zoe'")).isZero();
    assertThat(
            records.words(
                "select distinct string_agg(name, ' ' order by name) from approver"
                    + " where revision > 1 group by revision"))
        .containsExactly("cid dan");
    assertThat(records.verify().named()).isEmpty();
  }

  /** {@code -Dtests.races=1000} tries more. */
  @Test
  void inManyRacesNobodyApprovesTheirOwnAmendment() throws Exception {
    Period day = settled();
    List<String> own = List.of("zoe", "ZOE", "local:zoe", " Zoe");
    List<String> others = List.of("cid", "Cid", "dan", "local:dan");
    var pool = Executors.newFixedThreadPool(4);
    try {
      int last = 1 + Integer.getInteger("tests.races", 100) / 50;
      for (int revision = 2; revision <= last; revision++) {
        String preparer = zoePrepares(revision) ? own.get(revision / 2 % own.size()) : "mia";
        amend(day, preparer, 500L + revision);
        var attempts = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < 50; i++) {
          List<String> names = i % 2 == 0 ? own : others;
          attempts.add(attempt(day, revision, names.get(i / 2 % names.size())));
        }
        attempts.add(sneak(day, revision));
        for (var attempt : pool.invokeAll(attempts)) {
          attempt.get();
        }
        assertThat(world.again(day).revision()).isEqualTo(revision);
      }
    } finally {
      pool.shutdownNow();
    }
    assertOnlyOthersApproved();
  }

  /**
   * By keys of who shaped the amendment, and by keys of two others, over a few connections at once.
   * {@code -Dtests.races=1000} tries more.
   */
  @Test
  void inManyRacesOverHttpNobodyApprovesTheirOwnAmendment() throws Exception {
    Period day = settled();
    List<Api> own = List.of(by("zoe", "zoe-cli"), by("zoe", "zoe-laptop"), by("Zoe", "zoe-phone"));
    Api another = by("mia", "mia-cli");
    List<Api> others = List.of(by("cid", "cid-cli"), by("dan", "dan-cli"));
    String path = "/ops/boards/%s/periods/%s/".formatted(day.board(), day.name());
    var answers = new TreeMap<String, Integer>();
    int rounds = Integer.getInteger("tests.races", 100) / 50;
    var pool = Executors.newFixedThreadPool(8);
    try {
      for (int revision = 2; revision <= 1 + rounds; revision++) {
        String points = "{'reason':'miscounted','points':{'dan':%d}}".formatted(500 + revision);
        Api preparer = zoePrepares(revision) ? own.get(0) : another;
        assertThat(preparer.postTo(path + "amend", points).status()).isEqualTo(200);
        String body =
            "{'reason':'fine','revision':%d,'expect':'%s'}"
                .formatted(revision, revisions.find(day.id(), revision).orElseThrow().digest());
        var attempts = new ArrayList<Callable<String>>();
        for (int i = 0; i < 50; i++) {
          // The others come late, so that what they approve is undecided for most attempts.
          boolean isOther = i >= 25 && i % 5 == 0;
          List<Api> callers = isOther ? others : own;
          Api caller = callers.get(i / 5 % callers.size());
          attempts.add(() -> (isOther ? "other " : "own ") + answer(caller, path, body));
        }
        for (var attempt : pool.invokeAll(attempts)) {
          answers.merge(attempt.get(), 1, Integer::sum);
        }
        assertThat(world.again(day).revision()).isEqualTo(revision);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(answers.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(rounds * 50);
    assertThat(answers.keySet())
        .as(answers.toString())
        .isSubsetOf(
            "own 202 running",
            "own 403 same-person",
            "own 409 wrong-state",
            "other 202 running",
            "other 200 held",
            "other 200 done",
            "other 200 again",
            "other 403 same-person",
            "other 409 wrong-state");
    assertThat(
            answers.getOrDefault("own 403 same-person", 0)
                + answers.getOrDefault("own 202 running", 0))
        .isGreaterThan(rounds * 20);
    assertThat(answers.get("other 200 done")).isEqualTo(rounds);
    assertOnlyOthersApproved();
  }

  /**
   * Whether zoe prepares a revision. Before every second, zoe only excludes a member or lifts that,
   * and another person prepares it.
   */
  private boolean zoePrepares(int revision) {
    if (revision % 2 == 0) {
      return true;
    }
    var bob = new MemberId("bob");
    if (revision % 4 == 3) {
      excluded = exclusions.exclude(Terms.always(bob, ExclusionLevel.NO_PRIZE), "cheats", "zoe");
    } else {
      exclusions.lift(Objects.requireNonNull(excluded).id(), "is innocent", "zoe");
    }
    return false;
  }

  private Api by(String person, String key) {
    return new Api(port, Api.ownKey(keys, key, person, Role.OPERATOR, Role.APPROVER));
  }

  /** The status and the problem of an approval, or the state of its task; retried while busy. */
  private static String answer(Api caller, String path, String body) {
    while (true) {
      Answer answer = caller.postTo(path + "approve", body);
      String problem = answer.problem().replace("urn:palmares:problem:", "");
      if (!problem.equals("period-busy")) {
        return "%d %s".formatted(answer.status(), problem.isEmpty() ? state(answer) : problem);
      }
    }
  }

  /** The state of the task, or {@code again} if the caller had approved the outcome before. */
  private static String state(Answer answer) {
    boolean isRepeat =
        answer
            .body()
            .path("messages")
            .path(0)
            .path("text")
            .asString("")
            .contains(" was already approved by ");
    return isRepeat ? "again" : answer.body().path("state").asString();
  }

  private Callable<Boolean> attempt(Period day, int revision, String by) {
    return () -> {
      while (true) {
        int before = answered.getPhase();
        try {
          amendments.approve(day.id(), revision, by, "fine");
          answered.arrive();
          return true;
        } catch (PeriodBusy e) {
          answered.awaitAdvance(before);
        } catch (Refusal e) {
          answered.arrive();
          return false;
        } catch (RuntimeException e) {
          answered.arrive();
          throw e;
        }
      }
    };
  }

  private Callable<Boolean> sneak(Period day, int revision) {
    return () -> {
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> store(day, revision, "zoe"))
            .isInstanceOf(DataIntegrityViolationException.class);
      }
      return false;
    };
  }

  /** Counts the approvals that were the last one needed; each is retried until it has an answer. */
  private long atOnce(Period day, String... names) throws Exception {
    var barrier = new CyclicBarrier(names.length);
    var pool = Executors.newFixedThreadPool(names.length);
    try {
      var all = new ArrayList<Callable<Boolean>>();
      for (String name : names) {
        all.add(
            () -> {
              barrier.await();
              while (true) {
                try {
                  return approve(day, name).isEmpty();
                } catch (PeriodBusy e) {
                  Thread.onSpinWait();
                } catch (Refusal e) {
                  return false;
                }
              }
            });
      }
      long last = 0;
      for (var one : pool.invokeAll(all)) {
        last += one.get() ? 1 : 0;
      }
      return last;
    } finally {
      pool.shutdownNow();
    }
  }
}
