package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.Sweep;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Each row of the ledger belongs to an outcome that exists. */
@WorldTest
class WholeLedgerTest {
  /** Adds credits of an outcome that does not exist. */
  private static final String FORGED =
      """
      insert into payment (outcome, member, rule, purpose, amount)
      select outcome - 999, member, rule, purpose, 1000000 from payment where member = 'ann'
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
    return findings.named().stream().map(Difference::said).map(Texts::english).toList();
  }

  @Test
  void paymentsOfAnUnknownOutcomeAreNamed() {
    assertThat(sentences(servers.tampered(FORGED, records::verify)))
        .singleElement()
        .asString()
        .contains("extra: ")
        .contains("rows in payment of an outcome that does not exist, with id " + (outcome() - 999))
        .contains(": 2, such as")
        .contains("ann");
    servers.unguarded(() -> servers.sql(FORGED));
    assertThat(sentences(verification.verifySince(world.now(), LocalDate.EPOCH, 1)))
        .as("each night, whenever it was settled")
        .anySatisfy(found -> assertThat(found).contains("outcome that does not exist"));
  }

  private long outcome() {
    return records.number("select id from revision");
  }

  @ParameterizedTest
  @ValueSource(strings = {"origin", "replica"})
  void theLedgerRefusesThem(String role) {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      servers.sql("set local session_replication_role = " + role);
                      servers.sql(FORGED);
                    }))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("there is no outcome " + (outcome() - 999));
  }

  @ParameterizedTest
  @ValueSource(strings = {"event", "revision", "manifest"})
  void rowsOfAnUnknownPeriodAreNamed(String table) {
    Findings findings =
        servers.tampered(
            "update %s set period_id = period_id + 999".formatted(table), records::verify);
    assertThat(sentences(findings))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith("extra: ")
                    .contains("rows in " + table + " of a period that does not exist"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update line set outcome = outcome - 999    | rows in line of an outcome that does not"
            + " exist",
        "update payment set outcome = outcome - 999 | rows in payment of an outcome that does not",
        "update revision set id = id - 999          | rows in line of an outcome that does not"
            + " exist",
        "update revision set id = id - 999          | rows in payment of an outcome that does not",
        "update prize set outcome = outcome - 999   | prize number 1 of outcome -"
      })
  void rowsOfAnUnknownOutcomeAreNamed(String sql, String what) {
    assertThat(sentences(servers.tampered(sql, records::verify)))
        .anySatisfy(found -> assertThat(found).startsWith("extra: ").contains(what));
  }

  /** Forges the own tables of a big outcome. */
  @Test
  void aTableOfAnUnknownOutcomeIsNamed() {
    servers.sql("create table payment_999 (like payment including constraints)");
    servers.sql("insert into payment_999 select 7, 999, rule, purpose, member from payment");
    servers.sql("alter table payment attach partition payment_999 for values from (999) to (1000)");
    try {
      assertThat(sentences(records.verify()))
          .singleElement()
          .asString()
          .startsWith("extra: table payment_999 of an outcome that does not exist");
      servers.unguarded(() -> servers.sql("delete from payment_999"));
      assertThat(sentences(records.verify())).as("as a restart leaves it").isEmpty();
    } finally {
      servers.sql("drop table payment_999");
    }
  }

  /** The text of two equal files is stored once; editing one does not affect the other. */
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
