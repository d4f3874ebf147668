package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
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
}
