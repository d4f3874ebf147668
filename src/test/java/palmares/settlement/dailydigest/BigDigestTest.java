package palmares.settlement.dailydigest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Locks last until the digest commits, and PostgreSQL has room for few of them. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigDigestTest {
  private static final int DAYS = 3;

  private static final String LOCKED =
      """
      select distinct relation::regclass::text
      from pg_locks
      where pid = pg_backend_pid()
        and relation::regclass::text ~ '(^|\\.)(line|payment)(_from)?(_[0-9]+)?$'
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Digest digest;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;

  @Test
  void aDigestLocksNoTableOfAnOutcome() {
    digest.writeIfDue();
    Board board =
        world.board(
            Rules.day()
                .with(
                    """
                    rewards:
                      - { rule: first, ranks: { 1: 100 } }
                      - { rule: medal, currency: gold, ranks: { 1: 3 } }
                    """));
    for (int day = 0; day < DAYS; day++) {
      var period = world.open(board);
      world.take(Fact.by("ann"));
      world.settle(period);
      world.pass(Duration.ofDays(1));
    }
    List<String> locked =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  assertThat(digest.writeIfDue()).isTrue();
                  return jdbc.sql(LOCKED).query(String.class).list();
                }));
    assertThat(locked).isEmpty();
    assertThat(
            records.words(
                """
                select concat_ws(' ', paid ->> 'amount', paid ->> 'currency')
                from fact
                cross join json_array_elements(data -> 'paid') paid
                where type = 'digest'
                """))
        .containsExactly("300 credits", "9 gold");
  }
}
