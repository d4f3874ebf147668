package palmares.settlement.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An amendment is ranked by the closing's lines, and by its own corrections and exclusions. */
@WorldTest
class RankingTest {
  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Revisions revisions;
  @Autowired private Ranking ranking;

  @Test
  void neitherOtherPeriodsNorOtherAmendmentsChangeARanking() {
    Board board = world.board(Rules.day().with("ranks: competition"));
    Board other = world.board(Rules.day());
    Period period = world.open(board);
    Period elsewhere = world.open(other);
    List<String> ranked =
        transaction.execute(
            status -> {
              status.setRollbackOnly();
              close(period, board, "('ann', 5), ('bee', 4), ('bob', 4), ('cid', 3), ('dan', 3)");
              close(elsewhere, other, "('ann', 9), ('zed', 1)");
              correct(period, 2, "('bob', 100), ('eve', 50)");
              correct(period, 3, "('cid', 7)");
              correct(elsewhere, 3, "('dan', 200)");
              exclude(period, 2, "ann", "hidden");
              exclude(period, 3, "dan", "unranked");
              exclude(elsewhere, 3, "cid", "hidden");
              int outcome = revisions.outcome(period.id(), 3);
              ranking.rank(period, 3, outcome, board);
              return jdbc.sql(
                      """
                      select concat_ws(' ', place, rank, member, points) from line
                      where outcome = ?
                      order by place
                      """)
                  .param(outcome)
                  .query(String.class)
                  .list();
            });
    assertThat(ranked)
        .containsExactly("1 1 cid 7", "2 2 ann 5", "3 3 bob 4", "4 3 bee 4", "5 dan 3");
  }

  private void close(Period period, Board board, String lines) {
    int outcome = revisions.begin(period, board, "test", Tables.SHARED);
    jdbc.sql("select set_config('palmares.fence', fence::text, true) from period where id = ?")
        .param(period.id().value())
        .query(String.class)
        .single();
    jdbc.sql(
            """
            insert into line (outcome, place, rank, member, points, reached_at)
            select ?, row_number() over (), row_number() over (), member, points, now()
            from (values %s) as line (member, points)
            """
                .formatted(lines))
        .param(outcome)
        .update();
  }

  private void correct(Period period, int revision, String lines) {
    jdbc.sql(
            """
            insert into revision (
              id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
              reason)
            select id - 1000 * ?, period_id, ?, 1, definition_hash, owed, prepared_by, prepared_at,
              'a test'
            from revision
            where period_id = ? and revision = 1
            """)
        .params(revision, revision, period.id().value())
        .update();
    jdbc.sql(
            """
            update revision
            set verdict = 'rejected', decided_by = 'test', decided_at = prepared_at,
              verdict_reason = 'a test'
            where revision = 2
            """)
        .update();
    jdbc.sql(
            """
            insert into amended_line (
              period_id, revision, member, points, then_by, arrival, reached_at)
            select ?, ?, member, points, 0, 0, now() from (values %s) as line (member, points)
            """
                .formatted(lines))
        .params(period.id().value(), revision)
        .update();
  }

  private void exclude(Period period, int revision, String member, String level) {
    jdbc.sql(
            """
            insert into frozen_exclusion (period_id, revision, member, level)
            values (?, ?, ?, ?)
            """)
        .params(period.id().value(), revision, member, level)
        .update();
  }
}
