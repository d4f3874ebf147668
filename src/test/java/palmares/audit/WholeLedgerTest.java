package palmares.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.closing.Sweep;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Every row of the ledger is of an outcome that exists. */
@WorldTest
class WholeLedgerTest {
  /** Credits of a period that never was, whose books balance. */
  private static final String FORGED =
      """
      with forged as (
        insert into transfer (
          period_id, revision, member, rule, from_account, to_account, amount, posted_at, fence)
        select period_id + 999, 1, member, rule, from_account, to_account, 1000000, now(), 0
        from transfer
        where member = 'ann'
        returning *
      )
      insert into entry (transfer_id, account_id, amount)
      select id, from_account, -amount from forged
      union all
      select id, to_account, amount from forged
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Sweep sweep;
  @Autowired private Verification verification;
  @Autowired private TransactionTemplate transaction;

  private Period day;

  @BeforeEach
  void aSettledContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
  }

  private static List<String> sentences(Findings findings) {
    return findings.named().stream().map(Difference::sentence).toList();
  }

  @Test
  void creditsOfAPeriodThatDoesNotExistAreNamed() {
    assertThat(sentences(servers.tampered(FORGED, records::verify)))
        .singleElement()
        .asString()
        .contains("extra: ")
        .contains("transfer rows of a period that does not exist, with id " + (id() + 999))
        .contains(": 2, such as")
        .contains("ann");
    servers.unguarded(() -> servers.sql(FORGED));
    assertThat(sentences(verification.verifySince(world.now())))
        .as("each night, whenever it was settled")
        .anySatisfy(found -> assertThat(found).contains("period that does not exist"));
  }

  private long id() {
    return day.id().value();
  }

  @ParameterizedTest
  @ValueSource(strings = {"origin", "replica"})
  void theLedgerItselfRefusesThem(String role) {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      servers.sql("set local session_replication_role = " + role);
                      servers.sql(FORGED);
                    }))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("stale owner: fence 0 of period " + (id() + 999));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event",
        "snapshot",
        "snapshot_slice",
        "revision",
        "standing",
        "award",
        "transfer",
        "manifest"
      })
  void noRowIsOfAPeriodThatDoesNotExist(String table) {
    Findings findings =
        servers.tampered(
            "update %s set period_id = period_id + 999".formatted(table), records::verify);
    assertThat(sentences(findings))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith("extra: ")
                    .contains(table + " rows of a period that does not exist"));
  }

  @Test
  void entriesAreOfTransfersAndOfAccounts() {
    assertThat(
            sentences(
                servers.tampered(
                    """
                    insert into entry (transfer_id, account_id, amount)
                    select 1000000 + forged.amount, account_id, forged.amount
                    from entry cross join (values (7), (-7)) as forged (amount)
                    where entry.amount = 1000
                    """,
                    records::verify)))
        .anySatisfy(found -> assertThat(found).contains("entries of transfers that do not exist"));
    assertThat(
            sentences(servers.tampered("delete from account where name = 'ann'", records::verify)))
        .anySatisfy(found -> assertThat(found).startsWith("missing: account with id "));
  }

  /** The text of two files is kept once; that one of them is edited says nothing of the other. */
  @Test
  void boardsWhoseFilesHaveTheSameTextVerify() {
    Board edited = world.board(Rules.day());
    sweep.prepare();
    Rules same = Contest.rules().with("title: The same text");
    world.edit(edited, same);
    sweep.prepare();
    Board other = world.board(same);
    Period ofOther = world.open(other);
    world.edit(edited, Rules.day().with("grace: 1h"));
    sweep.prepare();
    world.take(Contest.facts());
    world.settle(ofOther);
    assertThat(sentences(records.verify())).isEmpty();
  }
}
