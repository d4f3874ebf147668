package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.Journal;
import palmares.operations.report.PalmaresReport;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.text.Texts;
import palmares.platform.threads.Loops;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.lines.ClosingLines.JournalSums;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.verification.Verification;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Outcomes with their own tables, which every period gets in this test. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigPeriodsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Approvals approvals;
  @Autowired private Closings closings;
  @Autowired private FillPermits permits;
  @Autowired private Journal journal;
  @Autowired private Loops loops;
  @Autowired private Pruning pruning;
  @Autowired private DataSource connections;
  @Autowired private Leases leases;
  @Autowired private Revisions revisions;
  @Autowired private BoardDefinitions definitions;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Verification verification;
  @Autowired private PalmaresReport report;

  private static final String OWN_TABLES =
      "select relname from pg_class where relname ~ '^(line|payment)_[0-9]+$' order by 1";

  private static final String WAITING_TRANSACTIONS =
      "select count(*) from pg_stat_activity where wait_event = 'advisory' and query ~ 'attach'";

  private Period day;

  @BeforeEach
  void aContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @Test
  void aBigPeriodLeavesTheSharedTablesEmpty() {
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().differences()).isZero();
    for (String shared : List.of("line_shared", "payment_shared")) {
      assertThat(records.number("select count(*) from " + shared)).as(shared).isZero();
    }
  }

  /** Else a long history would take more locks than PostgreSQL has room for. */
  @Test
  void tablesOfAnotherOutcomeAreNeededNeitherToCloseNorToVerifyNorToRead() {
    world.settle(day);
    Period next = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    String others = "line_%1$d, payment_%1$d".formatted(revisions.outcome(day.id(), 1));
    transaction.executeWithoutResult(
        status -> {
          servers.sql("lock table " + others + " in access exclusive mode");
          assertThat(CompletableFuture.runAsync(() -> closeVerifyAndRead(next)))
              .succeedsWithin(Duration.ofSeconds(30));
        });
  }

  private void closeVerifyAndRead(Period period) {
    world.settle(period);
    assertThat(verification.verify(List.of(period.id())).named()).isEmpty();
    assertThat(report.from(period.board(), period.name(), 1, 20)).hasSize(5);
    assertThat(report.find(period.board(), period.name(), List.of(new MemberId("ann")))).hasSize(1);
  }

  /** Before the seal, it is not known how few members have the events; here it is none. */
  @Test
  void aPeriodThatIsSmallAfterItsSealKeepsNoOtherFromBeingTaken() {
    world.settle(day);
    int count = permits.fillings() + 2;
    List<Period> days = IntStream.range(0, count).mapToObj(this::withoutMembers).toList();
    for (int n = 0; n < count; n++) {
      world.take(Fact.by("ann").does("act" + n).on("post").undone());
      assertThat(journal.drain(days.get(n))).isOne();
    }
    days.forEach(world::due);
    servers.sql(
        """
        create function wait_at_outcome() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock_shared(1);
          return new;
        end $$;
        create trigger "a test holds up closings" before insert on revision
          for each row execute function wait_at_outcome()
        """);
    var scheduler = new ClosingQueue(closings, loops, new SimpleMeterRegistry(), true);
    try {
      transaction.executeWithoutResult(
          status -> {
            servers.sql("do $$ begin perform pg_advisory_xact_lock(1); end $$");
            CompletableFuture.runAsync(scheduler::takeDue).join();
            await().atMost(Duration.ofSeconds(30)).until(() -> heldUp() == count);
          });
    } finally {
      scheduler.stop();
      servers.sql("drop function wait_at_outcome cascade");
    }
    assertThat(days)
        .extracting(each -> world.again(each).state())
        .containsOnly(PeriodState.SETTLED);
  }

  private Period withoutMembers(int n) {
    return world.open(
        world.board(
            Rules.day().with("actions: { act%d: { points: 1, undo: true } }".formatted(n))));
  }

  private long heldUp() {
    return records.number(
        "select count(*) from pg_locks where locktype = 'advisory' and objid = 1 and not granted");
  }

  /** Returns the outcome of a process that has written a line and died. */
  private int fillAndDie() {
    Lease lease = leases.take(day.id(), "a process that dies").orElseThrow();
    int abandoned =
        transaction.execute(
            status -> {
              leases.hold(lease);
              return revisions.begin(day, definitions.of(day), "test", Tables.OWN);
            });
    leases.release(lease);
    servers.sql(
        "insert into line_%1$d values (null, 7, null, null, %1$d, 1, 1, 'x')".formatted(abandoned));
    return abandoned;
  }

  @Test
  void theTablesOfAnAttemptThatDiedAreDroppedByTheNext() {
    int abandoned = fillAndDie();
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().differences()).isZero();
    assertThat(
            records.number(
                "select count(*) from pg_class where relname = 'line_%d'".formatted(abandoned)))
        .isZero();
  }

  @Test
  void theSpaceOfARejectedOutcomeIsFreed() {
    Period held = world.open(world.board(Contest.rules().with("payout: { approval: required }")));
    world.take(Contest.facts());
    assertThat(world.close(held).outcome()).isEqualTo(ClosingResult.Status.HELD);
    approvals.reject(held.id(), new ApprovalDecision("ann", "wrong", null));
    approvals.restart(held.id(), new ApprovalDecision("ann", "put right", null));
    assertThat(
            records.words(
                "select relname from pg_class where relname ~ '^(line|payment)_[0-9]+$'"
                    + " and reloptions is not null"))
        .as("tables that vacuum leaves alone")
        .isEmpty();
    assertThat(world.close(held).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(records.verify().named()).isEmpty();
  }

  private List<String> emptyTables() {
    return records.verify().notes().stream()
        .map(Texts::english)
        .filter(note -> note.startsWith("empty"))
        .toList();
  }

  private void rejectAndRestart(Period held) {
    assertThat(world.close(held).outcome()).isEqualTo(ClosingResult.Status.HELD);
    approvals.reject(held.id(), new ApprovalDecision("ann", "wrong", null));
    approvals.restart(held.id(), new ApprovalDecision("ann", "put right", null));
  }

  /** Nobody waits for the reader longer than a moment, and what it reads is dropped later. */
  @Test
  void theTablesOfARestartedClosingAreDroppedOnceNobodyReadsThem() throws SQLException {
    Period held = world.open(world.board(Contest.rules().with("payout: { approval: required }")));
    world.take(Contest.facts());
    world.settle(day);
    List<String> ofDay = records.words(OWN_TABLES);
    rejectAndRestart(held);
    List<String> left = new ArrayList<>(records.words(OWN_TABLES));
    left.removeAll(ofDay);
    assertThat(left).hasSize(2);
    assertThat(emptyTables()).singleElement().asString().endsWith(String.join(", ", left));
    try (Connection reader = connections.getConnection()) {
      reader.setAutoCommit(false);
      execute(reader, "select count(*) from line where outcome > 0");
      pruning.prune();
      assertThat(records.words(OWN_TABLES)).hasSize(3).contains(left.get(0));
      reader.rollback();
    }
    pruning.prune();
    assertThat(records.words(OWN_TABLES)).isEqualTo(ofDay);
    assertThat(emptyTables()).isEmpty();
    assertThat(world.close(held).outcome()).isEqualTo(ClosingResult.Status.HELD);
    pruning.prune();
    assertThat(records.words(OWN_TABLES)).hasSize(4);
    assertThat(records.verify().named()).isEmpty();
  }

  /** Rows without a revision are what is left of a change that nobody may make: evidence. */
  @Test
  void aTableWithRowsWithoutARevisionIsNamedAndKept() {
    servers.sql("create table line_77 (like line)");
    servers.sql("insert into line_77 values (null, 7, null, null, 77, 1, 1, 'x')");
    try {
      pruning.prune();
      assertThat(records.verify().named())
          .extracting(found -> Texts.english(found.what()))
          .containsExactly("table line_77 of an outcome that does not exist");
      servers.sql("delete from line_77");
      assertThat(records.verify().named()).isEmpty();
    } finally {
      pruning.prune();
    }
    assertThat(records.words(OWN_TABLES)).isEmpty();
  }

  /** Each reading takes long if there are many big periods. */
  @Test
  void aVerificationReadsTheCatalogueForSuchTablesOnce() {
    servers.sql("create table line_77 (like line)");
    try {
      Long inspected =
          transaction.execute(
              status -> {
                records.words("select set_config('track_functions', 'all', true)");
                assertThat(emptyTables()).singleElement().asString().endsWith(" line_77");
                return records.number(
                    """
                    select coalesce(sum(calls), 0) from pg_stat_xact_user_functions
                    where funcname = 'has_rows'
                    """);
              });
      assertThat(inspected).isEqualTo(1);
    } finally {
      pruning.prune();
    }
  }

  @Test
  void theTablesOfAFillingThatRunsAreNotDropped() {
    Lease lease = leases.take(day.id(), "a process that fills").orElseThrow();
    int filling =
        transaction.execute(
            status -> {
              leases.hold(lease);
              int begun = revisions.begin(day, definitions.of(day), "test", Tables.OWN);
              CompletableFuture.runAsync(pruning::prune).join();
              return begun;
            });
    pruning.prune();
    assertThat(records.words(OWN_TABLES)).containsExactly("line_" + filling, "payment_" + filling);
    leases.release(lease);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  /** A backup reads all tables for hours, and the restart of a closing does not wait for it. */
  @Test
  void aBackupDelaysNoRestart() throws SQLException {
    int abandoned = fillAndDie();
    try (Connection backup = connections.getConnection()) {
      backup.setAutoCommit(false);
      execute(backup, "lock table line_%d in access share mode".formatted(abandoned));
      world.settle(day);
      assertThat(records.verify().named()).isEmpty();
      backup.rollback();
    }
    pruning.prune();
    assertThat(records.words(OWN_TABLES)).hasSize(2).doesNotContain("line_" + abandoned);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update line set points = points + 1 where outcome > 0 and member = 'ann'",
        "update line set reached_at = reached_at + interval '1 us' where outcome > 0",
        "delete from payment where outcome > 0 and member = 'bob'",
        "update payment set amount = amount + 1 where outcome > 0 and member = 'cid'"
      })
  void rowsThatAreNotAsTheyWereSentAreNotPosted(String change) {
    Period held = world.open(world.board(Contest.rules().with("payout: { approval: required }")));
    world.take(Contest.facts());
    assertThat(world.close(held).outcome()).isEqualTo(ClosingResult.Status.HELD);
    servers.unguarded(() -> servers.sql(change));
    approvals.approve(held.id(), new ApprovalDecision("ann", "as they were", null));
    ClosingResult closed = world.close(held);
    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(closed.text()).contains("is not what was filled");
    assertThat(records.number("select count(*) from transfer")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into payment select * from payment where member = 'ann'",
        "update line set member = 'bob' where outcome > 0 and member = 'ann'",
        "update line set place = 2 where outcome > 0 and place = 1"
      })
  void ownTablesHaveEachMemberAndPlaceOnceAndOnePaymentByARule(String change) {
    world.settle(day);
    assertThatThrownBy(() -> servers.unguarded(() -> servers.sql(change)))
        .isInstanceOf(DuplicateKeyException.class);
  }

  /** Else connections of a filling that has failed would be used without its permit. */
  @Test
  void aFillingThatFailsEndsAfterTheSumsOfItsJournal() throws SQLException {
    var nothing =
        Rules.day()
            .with("actions: { like: 1 }")
            .with("rewards: [{ rule: thanks, taking-part: 5 }]");
    Period other = world.open(world.board(nothing));
    world.take(Fact.by("ann").does("like"));
    world.due(other);
    servers.failOn("CREATE INDEX");
    try (Connection reader = connections.getConnection()) {
      reader.setAutoCommit(false);
      var closing =
          CompletableFuture.supplyAsync(
              () ->
                  closings.close(
                      other.id(),
                      ClosingCause.of("test"),
                      step -> {
                        if (step.equals("fill")) {
                          execute(reader, "lock table event in access exclusive mode");
                        }
                      }));
      while (!closing.isDone() && !isRunning(JournalSums.class.getName() + ".close")) {
        Thread.onSpinWait();
      }
      assertThat(closing).isNotDone();
      reader.rollback();
      ClosingResult failed = closing.join();
      assertThat(failed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
      assertThat(failed.text()).contains("no room on the disk");
    } finally {
      servers.failNoMore();
    }
  }

  private static void execute(Connection connection, String sql) {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isRunning(String method) {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> method.equals(frame.getClassName() + "." + frame.getMethodName()));
  }

  /** The first outcomes of a volume of partitions may be attached by several closings at once. */
  @Test
  void outcomesThatAreAttachedAtTheSameTimeShareTheirVolume() {
    var number = 2_000_001;
    servers.sql(
        """
        insert into revision (
          id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason)
        select ? + n, id, 1 + n, nullif(n, 0), definition_hash, 'take', 'test', now(), 'a test'
        from period cross join generate_series(0, 1) as n
        where id = ?
        """,
        number,
        day.id().value());
    call("make_outcome_tables", number);
    call("make_outcome_tables", number + 1);
    try {
      CompletableFuture<Integer> second =
          transaction.execute(
              status -> {
                call("attach_outcome_tables", number);
                var waiting =
                    CompletableFuture.supplyAsync(() -> call("attach_outcome_tables", number + 1));
                await().until(() -> records.number(WAITING_TRANSACTIONS) == 1);
                return waiting;
              });
      assertThat(second).succeedsWithin(Duration.ofSeconds(30));
      assertThat(
              records.number(
                  "select count(*) from pg_inherits where inhparent = ?::regclass",
                  "line_from_1999873"))
          .isEqualTo(2);
    } finally {
      servers.sql("drop table line_from_1999873, payment_from_1999873");
    }
  }

  /** Calls it under the present lease of the period. */
  private int call(String function, int outcome) {
    return servers.sql(
        """
        do $$ begin
          perform set_config('palmares.fence', fence::text, true) from period where id = %d;
          perform %s(%d);
        end $$
        """
            .formatted(day.id().value(), function, outcome));
  }
}
