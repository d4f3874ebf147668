package palmares.settlement.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/** The same of outcomes that have own tables, whose eligible members are found by bisection. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigManifestTest extends ManifestTest {
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  /** Of 40 lines with 0 to 6 points, a first part of which is ranked. */
  @ParameterizedTest
  @ValueSource(strings = {"asc", "desc"})
  void bisectionCountsWhatAScanCounts(String worse) {
    transaction.executeWithoutResult(
        status -> {
          status.setRollbackOnly();
          jdbc.sql(
                  """
                  create temporary table line_2000000000 as
                  select (row_number() over (order by points %s))::int as place, points
                  from (select n * n %% 7::bigint as points from generate_series(1, 40) n) line
                  """
                      .formatted(worse))
              .update();
          assertThat(
                  jdbc.sql(
                          """
                          select format('%s ranked, %s to %s points', ranked, lowest, highest)
                          from unnest('{0,1,2,39,40}'::int[]) ranked
                          cross join generate_series(-1, 8) lowest
                          cross join generate_series(-1, 8) highest
                          where ranked_within(2000000000, ranked, lowest, highest) <> (
                            select count(*) from line_2000000000
                            where place <= ranked and points between lowest and highest)
                          """)
                      .query(String.class)
                      .list())
              .isEmpty();
        });
  }
}
