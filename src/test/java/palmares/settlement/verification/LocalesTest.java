package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.member.Members;
import palmares.operations.amendment.Amendments;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.withheld.WithheldLines;
import palmares.period.ImportRuns;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusions;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Closings;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What machines read has the same letters and digits wherever it is written and read. */
@WorldTest
class LocalesTest {
  private static final Locale HERE = Locale.getDefault();

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
  @Autowired private ImportRuns imports;
  @Autowired private Members members;
  @Autowired private WithheldLines lines;

  @AfterEach
  void here() {
    Locale.setDefault(HERE);
  }

  /** With other digits, another calendar, other capital letters, and another minus sign. */
  @ParameterizedTest
  @ValueSource(strings = {"th-TH-u-ca-buddhist-nu-thai", "tr-TR", "fa-IR"})
  void periodsThatSettleInOneLocaleVerifyInAnother(String tag) {
    Locale.setDefault(Locale.forLanguageTag(tag));
    new RichHistory(
            world,
            servers,
            transaction,
            closings,
            approvals,
            exclusions,
            lateEventDecisions,
            amendments,
            auditLog,
            imports,
            members,
            lines)
        .play();
    assertThat(records.verify().named()).isEmpty();
    Locale.setDefault(HERE);
    assertThat(records.verify().named()).isEmpty();
  }
}
