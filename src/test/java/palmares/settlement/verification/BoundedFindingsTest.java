package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.transaction.PlatformTransactionManager;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.sql.TypedJdbcClient;
import palmares.platform.text.Texts;
import palmares.testing.Contest;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** However many differences there are, all are counted, and few are read into memory. */
@WorldTest
class BoundedFindingsTest {
  private static final int STRANGERS = 3_000;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private DataSource database;
  @Autowired private BoardDefinitions definitions;
  @Autowired private ManifestVerification manifests;
  @Autowired private VerificationScope scope;
  @Autowired private TierFamily tierFamily;
  @Autowired private AnchorVerification anchorVerification;
  @Autowired private SharedSnapshot snapshot;
  @Autowired private PlatformTransactionManager transactions;

  private int mostRows;

  @Test
  void manyDifferencesAreCountedAndFewAreRead() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    var verification =
        new Verification(
            new TypedJdbcClient(new Counting()),
            definitions,
            manifests,
            scope,
            tierFamily,
            anchorVerification,
            snapshot,
            transactions);
    Findings findings =
        servers.tampered(
            """
            insert into payment
            select 20, revision.id, 2, 1, 'zoe-' || n
            from revision
            cross join generate_series(1, %d) n
            """
                .formatted(STRANGERS),
            () -> verification.verifySettled(null, null));
    assertThat(Texts.english(findings.summary())).contains("; 0 missing, 3,000 extra, ");
    assertThat(findings.named()).hasSize(Findings.MAX_NAMED_DIFFERENCES);
    assertThat(mostRows).isEqualTo(Findings.MAX_NAMED_DIFFERENCES);
  }

  /** Runs each statement a first time to count its rows. */
  private final class Counting extends JdbcTemplate {
    Counting() {
      super(database);
    }

    @Override
    public <T extends @Nullable Object> T query(
        PreparedStatementCreator statement, ResultSetExtractor<T> extractor) {
      super.query(
          statement,
          rows -> {
            int n = 0;
            while (rows.next()) {
              n++;
            }
            return mostRows = Math.max(mostRows, n);
          });
      return super.query(statement, extractor);
    }
  }
}
