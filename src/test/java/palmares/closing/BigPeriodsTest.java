package palmares.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.test.context.TestPropertySource;
import palmares.board.Board;
import palmares.bulk.OwnTables;
import palmares.closing.Closed.Outcome;
import palmares.ledger.LedgerMismatch;
import palmares.period.Definitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.StaleLease;
import palmares.reward.ManyAwards;
import palmares.reward.Payments;
import palmares.standing.Snapshots;
import palmares.testing.Contest;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Periods with tables of their own, for which every period is big enough here. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigPeriodsTest {
  private static final List<String> TABLES =
      List.of("snapshot", "standing", "award", "transfer", "entry");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private OwnTables own;
  @Autowired private ManyAwards awards;
  @Autowired private Payments payments;
  @Autowired private Snapshots snapshots;
  @Autowired private Definitions definitions;
  @Autowired private Leases leases;

  private Period day;

  @BeforeEach
  void aContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @AfterEach
  void noTablesAreLeft() {
    TABLES.forEach(table -> own.drop(table, day.id().value()));
  }

  private long inShared(String table) {
    return records.number("select count(*) from only " + table);
  }

  private void assertEndsAsASmallOneDoes() {
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.balance("ann")).isEqualTo(1040);
    assertThat(records.published(day).stream().map(Line::rank)).containsExactly(1L, 2L, 2L, 4L, 5L);
    assertThat(records.verify().summary())
        .isEqualTo(
            "verified: 1 periods, 5 standings, 6 awards, 6 transfers;"
                + " 0 missing, 0 extra, 0 unequal");
  }

  @Test
  void aBigPeriodEndsAsASmallOneDoesAndLeavesTheSharedTablesEmpty() {
    world.settle(day);
    assertEndsAsASmallOneDoes();
    assertThat(TABLES).allSatisfy(table -> assertThat(inShared(table)).as(table).isZero());
  }

  @ParameterizedTest
  @ValueSource(strings = {"reconcile", "rank", "award", "pay", "publish"})
  void whereverItDiesItEndsTheSame(String step) {
    dieAt(step);
    world.settle(day);
    assertEndsAsASmallOneDoes();
  }

  @Test
  void nobodyIsPaidByWhatIsWrittenBeforeItIsJoined() {
    dieAt("pay");
    Lease lease = leases.take(day.id(), "a process that dies").orElseThrow();
    payments.write(lease, world.again(day), () -> {});
    leases.release(lease);
    assertThat(records.number("select count(*) from transfer_" + day.id())).isEqualTo(6);
    assertThat(records.number("select count(*) from transfer")).isZero();
    assertThat(records.balance("ann")).isZero();
    world.settle(day);
    assertEndsAsASmallOneDoes();
  }

  /** As an older program, or another setting, may have left it. */
  @Test
  void paymentsThatWereBegunApartAreWrittenApart() {
    dieAt("pay");
    servers.unguarded(
        () -> servers.sql("alter table award_%s no inherit award".formatted(day.id())));
    servers.unguarded(
        () -> {
          servers.sql("insert into award select * from award_" + day.id());
          servers.sql("drop table award_" + day.id());
        });
    own.begin("transfer", day.id().value());
    world.settle(day);
    assertEndsAsASmallOneDoes();
  }

  @Test
  void whatIsPaidIsNeverWrittenAnew() {
    world.settle(day);
    Lease lease = leases.take(day.id(), "somebody").orElseThrow();
    assertThatThrownBy(() -> payments.write(lease, world.again(day), () -> {}))
        .isInstanceOf(LedgerMismatch.class)
        .hasMessageContaining("posted already");
    assertThat(world.close(day).outcome()).isEqualTo(Outcome.ALREADY_SETTLED);
    assertEndsAsASmallOneDoes();
  }

  @Test
  void nobodyIsAwardedByWhatIsWrittenBeforeItIsJoined() {
    dieAt("award");
    Lease lease = leases.take(day.id(), "a process that dies").orElseThrow();
    awards.write(lease, world.again(day), definition(), () -> {});
    leases.release(lease);
    assertThat(records.number("select count(*) from award_" + day.id())).isEqualTo(6);
    assertThat(records.number("select count(*) from award")).isZero();
    world.settle(day);
    assertEndsAsASmallOneDoes();
  }

  @Test
  void whoLostThePeriodWritesNothingAnew() {
    dieAt("award");
    Lease lost = leases.take(day.id(), "a process that falls silent").orElseThrow();
    Period before = world.again(day);
    leases.release(lost);
    world.settle(day);
    assertThatThrownBy(() -> awards.write(lost, before, definition(), () -> {}))
        .isInstanceOf(StaleLease.class);
    assertThatThrownBy(() -> payments.write(lost, before, () -> {})).isInstanceOf(StaleLease.class);
    assertThatThrownBy(() -> snapshots.take(lost, before, definition(), () -> {}))
        .isInstanceOf(StaleLease.class);
    assertEndsAsASmallOneDoes();
  }

  private Board definition() {
    return definitions.of(day);
  }

  private void dieAt(String step) {
    world.close(
        day,
        entered -> {
          if (entered.equals(step)) {
            throw new IllegalStateException("killed at " + step);
          }
        });
  }

  @Test
  void aPaymentBesideThePeriodsOwnTableIsRefused() {
    world.settle(day);
    assertThatThrownBy(
            () ->
                servers.sql(
                    """
                    insert into transfer (
                      period_id, revision, member, rule, from_account, to_account, amount,
                      posted_at, fence)
                    select period_id, 1, member, rule, from_account, to_account, amount,
                      posted_at, period.fence
                    from transfer join period on period.id = period_id
                    limit 1
                    """))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("stand in a table of its own");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"update %s set amount = 1", "delete from %s", "truncate %s", "delete from entry"})
  void itsPaymentsAreNeverEditedEither(String sql) {
    world.settle(day);
    assertThatThrownBy(() -> servers.sql(sql.formatted("transfer_" + day.id())))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("the ledger is never edited");
  }
}
