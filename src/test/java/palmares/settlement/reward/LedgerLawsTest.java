package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Leases;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Owing.Prize;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Money moves once, by the present owner, as it was filled, and is never edited. */
@WorldTest
class LedgerLawsTest {
  private static final List<String> MONEY_VIEWS =
      List.of(
          "posted_payment",
          "transfer",
          "entry",
          "account_statement",
          "trial_balance",
          "trial_balance_summary",
          "period_transfers");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private BoardDefinitions definitions;
  @Autowired private Revisions revisions;
  @Autowired private PaymentDifferences differences;
  @Autowired private Leases leases;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  private Book.Desk desk;

  @BeforeEach
  void aDesk() {
    desk = new Book.Desk(world, jdbc, transaction, definitions, leases, revisions, differences);
  }

  /** Pays ann 70 and bob 30, once it is posted. */
  private Book filled(Tables tables) {
    Book book = desk.open("take", tables);
    book.begin(
        Map.of(
            List.of("ann", "prize"), new Prize("prize", "credits", 70),
            List.of("bob", "prize"), new Prize("prize", "credits", 30)));
    return book;
  }

  private Book approved(Tables tables) {
    Book book = filled(tables);
    book.approve();
    return book;
  }

  private Book posted(Tables tables) {
    Book book = approved(tables);
    book.post();
    return book;
  }

  private static void refused(ThrowingCallable work, String why) {
    assertThatThrownBy(work)
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @EnumSource(value = Tables.class, mode = Mode.EXCLUDE, names = "TRIAL")
  void paymentsThatAreNotPostedAreNoMoney(Tables tables) {
    Book book = approved(tables);
    for (String view : MONEY_VIEWS) {
      assertThat(records.number("select count(*) from " + view)).as(view).isZero();
    }
    assertThat(book.post()).isEqualTo(2);
    for (String view : MONEY_VIEWS) {
      assertThat(records.number("select count(*) from " + view)).as(view).isPositive();
    }
    assertThat(records.balance("ann")).isEqualTo(70);
    assertThat(records.balance("bob")).isEqualTo(30);
  }

  @Test
  void aTransferIsTwoEntriesThatCancel() {
    posted(Tables.SHARED);
    assertThat(
            records.words(
                """
                select format('%s %s: %s from %s', account, sum(amount), count(*), other_account)
                from entry
                group by account, other_account
                order by account collate "C"
                """))
        .satisfiesExactly(
            ann -> assertThat(ann).startsWith("ann 70: 1 from rewards:"),
            bob -> assertThat(bob).startsWith("bob 30: 1 from rewards:"),
            toAnn -> assertThat(toAnn).startsWith("rewards:").contains("0: 1 from "),
            toBob -> assertThat(toBob).startsWith("rewards:").contains("0: 1 from "));
    assertThat(records.number("select sum(amount) from entry")).isZero();
  }

  @Test
  void aRulePaysAMemberOnceInAnOutcome() {
    Book book = filled(Tables.SHARED);
    assertThatThrownBy(
            () -> book.held(() -> servers.sql(AGAIN.formatted("payment", "amount + 1, outcome"))))
        .isInstanceOf(DuplicateKeyException.class)
        .hasMessageContaining("a rule pays a member once in an outcome");
  }

  private static final String AGAIN =
      "insert into %s (amount, outcome, rule, purpose, member)"
          + " select %s, rule, purpose, member from payment";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SHARED | insert into line (outcome, member, points) select id, 'zoe', 1 from revision
          SHARED | insert into line_shared (outcome, member, points) select id, 'zoe', 1 from revision
          SHARED | insert into payment select 1, id, 1, 1, 'zoe' from revision
          SHARED | insert into payment_shared select 1, id, 1, 1, 'zoe' from revision
          SHARED | delete from payment where member = 'bob'
          SHARED | delete from payment_shared where member = 'bob'
          OWN    | insert into line (outcome, member, points) select id, 'zoe', 1 from revision
          OWN    | insert into payment select 1, id, 1, 1, 'zoe' from revision
          OWN    | delete from payment where member = 'bob'
          """)
  void rowsChangeOnlyUnderThePresentLeaseAndBeforeThePosting(Tables tables, String sql) {
    Book book = approved(tables);
    refused(() -> servers.sql(sql), "stale owner");
    assertThatCode(() -> undone(book, sql)).doesNotThrowAnyException();
    book.post();
    refused(() -> book.held(() -> servers.sql(sql)), "is posted");

    Book other = approved(tables);
    world.pass(Duration.ofSeconds(21));
    long former = other.lease().fence();
    assertThat(leases.take(other.lease().period(), "another")).isPresent();
    refused(
        () ->
            transaction.executeWithoutResult(
                status -> {
                  jdbc.sql("select set_config('palmares.fence', ?, true)")
                      .param(Long.toString(former))
                      .query(String.class)
                      .single();
                  servers.sql(of(sql, other.outcome()));
                }),
        "stale owner");
  }

  private void undone(Book book, String sql) {
    transaction.executeWithoutResult(
        status -> {
          book.held(() -> servers.sql(sql));
          status.setRollbackOnly();
        });
  }

  /** The statement about one outcome of several. */
  private static String of(String sql, int outcome) {
    return sql.startsWith("delete")
        ? sql + " and outcome = " + outcome
        : sql + " where id = " + outcome;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update line set points = points",
        "update line_shared set points = 1 where false",
        "update payment set amount = 1",
        "update payment set rule = rule where false",
        "update payment_shared set amount = 1",
        "truncate line",
        "truncate line_shared",
        "truncate payment",
        "truncate payment_shared"
      })
  void noRowIsEverEdited(String sql) {
    Book book = approved(Tables.SHARED);
    refused(() -> book.held(() -> servers.sql(sql)), "what is settled is never edited");
    book.post();
    refused(() -> book.held(() -> servers.sql(sql)), "what is settled is never edited");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update line_%s set points = 1",
        "update payment_%s set amount = 1",
        "delete from line_%s",
        "delete from payment_%s",
        "truncate payment_%s",
        "insert into payment_%1$s select 1, %1$s, 1, 2, 'zoe'"
      })
  void noRowOfAnOutcomeWithOwnTablesIsEverEdited(String sql) {
    Book book = posted(Tables.OWN);
    assertThat(book.outcome()).isPositive();
    assertThatThrownBy(() -> book.held(() -> servers.sql(sql.formatted(book.outcome()))))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("never edited");
  }

  @ParameterizedTest
  @EnumSource(value = Tables.class, mode = Mode.EXCLUDE, names = "TRIAL")
  void anOutcomeIsPostedOnce(Tables tables) {
    Book book = approved(tables);
    book.requirePostingRefused();
    assertThat(records.balance("ann")).isZero();
    book.post();
    assertThatThrownBy(book::post)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already posted");
    refused(() -> servers.sql(POST), "is posted: it is never edited");
    assertThat(records.balance("ann")).isEqualTo(70);
  }

  private static final String POST =
      """
      update revision
      set posted_at = now(), fence = period.fence
      from period
      where period.id = period_id
      """;

  @Test
  void aDryRunWithItsOwnTablesIsNotPosted() {
    refused(approved(Tables.TRIAL)::post, "is not what was filled");
  }

  @ParameterizedTest
  @EnumSource(value = Tables.class, mode = Mode.EXCLUDE, names = "TRIAL")
  void aPostingByAFormerOwnerIsRefused(Tables tables) {
    Book former = approved(tables);
    world.pass(Duration.ofSeconds(21));
    assertThat(leases.take(former.lease().period(), "another")).isPresent();
    refused(former::post, "stale owner: fence %d".formatted(former.lease().fence()));
    assertThat(records.number("select count(*) from transfer")).isZero();
  }

  @Test
  void anOutcomeWithoutApprovalIsNotPosted() {
    Book book = filled(Tables.SHARED);
    assertThatThrownBy(book::post)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not approved");
    refused(() -> servers.sql(POST), "only what is approved is posted");
    book.reject();
    assertThatThrownBy(book::post).isInstanceOf(IllegalStateException.class);
    refused(() -> servers.sql(POST), "only what is approved is posted");
  }

  @Test
  void anOutcomeThatIsNotFilledIsNotPosted() {
    Book book = approved(Tables.SHARED);
    servers.sql(
        """
        update revision
        set filled_at = null, lines = null, line_sum = null, payments = null, payment_sum = null
        """);
    refused(book::post, "was never filled");
  }

  /** A row more, a row less, or another row than was counted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SHARED | delete from payment where member = 'bob'
          OWN    | delete from payment where member = 'bob'
          SHARED | insert into payment select 1, id, 1, 2, 'ann' from revision
          OWN    | insert into payment select 1, id, 1, 2, 'ann' from revision
          SHARED | insert into line (outcome, member, points) select id, 'zoe', 1 from revision
          OWN    | insert into line (outcome, member, points) select id, 'zoe', 1 from revision
          SHARED | with gone as (delete from payment where member = 'bob' returning *) \
          insert into payment select amount + 1, outcome, rule, purpose, member from gone
          SHARED | with gone as (delete from payment where member = 'bob' returning *) \
          insert into payment select amount, outcome, rule, purpose, 'eve' from gone
          SHARED | update revision set payments = payments + 1
          SHARED | update revision set payment_sum = payment_sum - 1
          SHARED | update revision set lines = lines + 1
          SHARED | update revision set line_sum = line_sum + 1
          """)
  void anOutcomeThatChangedAfterItWasFilledIsNotPosted(Tables tables, String change) {
    Book book = approved(tables);
    book.held(() -> servers.sql(change));
    refused(book::post, "is not what was filled");
    assertThat(records.number("select count(*) from transfer")).isZero();
  }

  @Test
  void anOutcomeIsNeverInsertedAsPosted() {
    Book book = approved(Tables.SHARED);
    String sql =
        """
        insert into revision
        select (jsonb_populate_record(former, jsonb_build_object(
          'id', nextval('shared_outcome'), 'revision', 2, 'base', 1, 'reason', 'a test',
          'two_person', true, 'posted_at', now(), 'fence', period.fence))).*
        from revision former join period on period.id = period_id
        """;
    refused(() -> book.held(() -> servers.sql(sql)), "begins unposted");
    refused(
        () ->
            book.held(
                () -> {
                  servers.sql("set local session_replication_role = replica");
                  servers.sql(sql);
                }),
        "begins unposted");
  }

  /** Nothing guards the rows of own tables before they are attached. */
  @Test
  void ownTablesAreAttachedUnderThePresentLeaseAndBeforeThePosting() {
    Book book = desk.open("take", Tables.OWN);
    book.beginUnattached(Map.of(List.of("ann", "prize"), new Prize("prize", "credits", 70)));
    String attach =
        "do $$ begin perform attach_outcome_tables(%d); end $$".formatted(book.outcome());
    refused(() -> servers.sql(attach), "stale owner");
    assertThatCode(() -> undone(book, attach)).doesNotThrowAnyException();
    servers.sql(
        """
        update revision
        set filled_at = now(), lines = 0, line_sum = 0, payments = 0, payment_sum = 0
        """);
    book.approve();
    assertThat(book.post()).as("of tables that nobody sees").isZero();
    refused(() -> book.held(() -> servers.sql(attach)), "is posted");
    assertThat(records.balance("ann")).isZero();
  }

  /** Another transaction's snapshot may be older than the last link. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into audit_entry (at, by, verb, reason) values (now(), 'ann', 'close', 'why')",
        "insert into manifest (period_id, revision, body, sums, hash, written_at)"
            + " select period_id, 1, 'x', '{}', encode(sha256('x'), 'hex'), now() from revision"
      })
  void aChainIsExtendedOnlyByATransactionThatIsReadCommitted(String sql) {
    posted(Tables.SHARED);
    var repeatable =
        new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
    repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    assertThatThrownBy(() -> repeatable.executeWithoutResult(status -> servers.sql(sql)))
        .hasStackTraceContaining("only by transactions that are read committed, not repeatable");
    assertThatCode(() -> servers.sql(sql)).doesNotThrowAnyException();
  }

  @Test
  void aPostedOutcomeKeepsItsNumberAndStays() {
    posted(Tables.SHARED);
    refused(
        () -> servers.sql("delete from revision where posted_at is not null"),
        "what is settled is never edited");
    refused(
        () -> servers.sql("update revision set id = id - 100 where posted_at is not null"),
        "never edited");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update line set points = 0",
        "delete from line",
        "truncate line",
        "update payment set amount = amount + 1",
        "delete from payment",
        "truncate payment",
        "update revision set payments = 0",
        "update revision set posted_at = null, fence = null",
        "delete from revision",
        "truncate revision cascade",
        "update audit_entry set by = 'eve'",
        "delete from audit_entry",
        "truncate audit_entry cascade",
        "update audit_link set hash = ''",
        "delete from audit_link",
        "truncate audit_link",
        "update manifest set written_at = now()",
        "update manifest set sums = '{}'",
        "delete from manifest",
        "truncate manifest"
      })
  void nothingIsEditedEvenIfASessionDisablesTriggers(String sql) {
    Book book = filled(Tables.SHARED);
    book.held(
        () -> {
          servers.sql(
              "insert into line (outcome, member, points) select id, 'ann', 1 from revision");
          revisions.markFilled(book.outcome());
        });
    book.approve();
    book.post();
    servers.sql(
        "insert into audit_entry (at, by, verb, reason) values (now(), 'ann', 'close', 'why')");
    servers.sql(
        """
        insert into manifest (period_id, revision, body, sums, hash, written_at)
        select period_id, 1, 'x', '{}', encode(sha256('x'), 'hex'), now() from revision
        """);
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      servers.sql("set local session_replication_role = replica");
                      servers.sql(sql);
                    }))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageMatching("(?s).*(refused|never edited).*");
  }

  @Test
  void concurrentClosingsThatPayTheSameMembersNeverDeadlock() throws Exception {
    var awards = new HashMap<List<String>, Prize>();
    for (int member = 0; member < 100; member++) {
      awards.put(List.of("m" + member, "r"), new Prize("r", "credits", 1));
    }
    var sides = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 10; round++) {
        var start = new CyclicBarrier(2);
        var posting = new ArrayList<Future<Long>>();
        for (Book book : List.of(desk.open("take", Tables.SHARED), desk.open("debt", Tables.OWN))) {
          posting.add(
              sides.submit(
                  () -> {
                    start.await();
                    book.begin(awards);
                    book.approve();
                    return book.post();
                  }));
        }
        for (var posted : posting) {
          assertThat(posted.get()).as("round %d", round).isEqualTo(100);
        }
      }
    } finally {
      sides.shutdownNow();
    }
    assertThat(records.balance("m7")).isEqualTo(20);
  }
}
