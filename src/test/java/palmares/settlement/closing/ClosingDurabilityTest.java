package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** All that a closing commits waits for the disk, except its release of the lease and records. */
@WorldTest
class ClosingDurabilityTest {
  /** Tables with what is paid, and what it rests on. */
  private static final List<String> DURABLE =
      List.of(
          "event",
          "journal_position",
          "revision",
          "prize",
          "line_shared",
          "payment_shared",
          "manifest",
          "manifest_link",
          "fact");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Leases leases;
  @Autowired private TransactionTemplate transaction;

  private Period day;

  /** The triggers run when a transaction commits, after all of its work. */
  @BeforeEach
  void refuseCommitsThatDoNotWait() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    servers.sql(
        """
        create or replace function refuse_lazy() returns trigger language plpgsql as $$
        begin
          if current_setting('synchronous_commit') = 'off' then
            raise exception 'a change of % does not wait for the disk', tg_table_name;
          end if;
          return null;
        end $$
        """);
    DURABLE.forEach(table -> refuse("insert or update", table));
    refuse("update of state, fence, sealed_at, settled_at", "period");
  }

  private void refuse(String changes, String table) {
    servers.sql(
        """
        create constraint trigger refuse_lazy after %s on %s
        deferrable initially deferred for each row execute function refuse_lazy()
        """
            .formatted(changes, table));
  }

  @AfterEach
  void dropTheTriggers() {
    servers.sql("drop function refuse_lazy cascade");
  }

  @Test
  void whatIsPaidWaitsForTheDisk() {
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  /** The other changes of that transaction would not wait either. */
  @Test
  void aLazyReleaseIsRefusedInATransaction() {
    Lease lease = leases.take(day.id(), "a process").orElseThrow();
    assertThatThrownBy(
            () -> transaction.executeWithoutResult(status -> leases.releaseLazily(lease)))
        .isInstanceOf(IllegalTransactionStateException.class);
    assertThat(leases.holds(lease)).isTrue();

    leases.releaseLazily(lease);
    assertThat(leases.holds(lease)).isFalse();
    assertThat(records.number("select count(*) from period where lease_until is not null"))
        .isZero();
  }
}
