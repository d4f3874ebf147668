package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import palmares.operations.forgetting.Forgetting;
import palmares.rules.board.MemberId;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.WorldTest;

/** All laws of tampering, with outcomes that have own tables. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigTamperingTest extends TamperingTest {
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;
  @Autowired private Forgetting forgetting;

  @Test
  void bothParallelPartsNameTheirFindings() {
    servers.unguarded(
        () -> {
          jdbc.sql("update event set points = 99 where member = 'ann' and subject = 'joe'")
              .update();
          jdbc.sql("update payment set amount = 21 where rule = 2 and member = 'bob'").update();
        });
    Findings findings = records.verify();
    assertThat(findings.named())
        .extracting(Difference::what)
        .contains("line of ann", "award of bob by each-invite");
    assertThat(findings.summary()).startsWith("verified: 1 periods,");
  }

  /** Rows that are renamed leave dead ones, which vacuum is to remove from then on. */
  @Test
  void aForgettingVerifiesAndLetsOwnTablesBeVacuumed() {
    String notVacuumed =
        """
        select count(*) from pg_class
        where relname ~ '^(line|payment)_[0-9]+$'
          and 'autovacuum_enabled=off' = any(reloptions)
          and pg_relation_size(oid) > 0
        """;
    long before = records.number(notVacuumed);
    forgetting.forget(new MemberId("ann"), "a request", "boss", done -> {});
    assertThat(records.number(notVacuumed)).isEqualTo(before - 2);
    assertThat(records.verify().named()).isEmpty();
  }
}
