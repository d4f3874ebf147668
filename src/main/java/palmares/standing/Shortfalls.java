package palmares.standing;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.Scale;
import palmares.board.Scoring;
import palmares.bulk.Piece;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;

/**
 * Holds what the journal makes of a sealed period against what is known of the board that was
 * sealed: the figures of the seal, and the lines that were copied of it.
 */
@Component
public class Shortfalls {
  private static final int NAMED = 10;

  /**
   * Members whose copied lines are better than what the journal makes of them. A left join would
   * do, but one that the planner takes for small adds up the whole journal for each line; a full
   * join it sorts or hashes.
   */
  private static final String AFFECTED =
      """
      with derived as (
      %s),
      copy as (
        select member, points, reached_at from %s where period_id = :period
      ), affected as (
        select copy.member, copy.points, derived.points as rebuilt_points
        from copy
        full join derived using (member)
        where num_nulls(copy.member) = 0 and (derived.member is null or derived.%s copy.%s)
      )
      """;

  private final JdbcClient jdbc;
  private final SnapshotRows rows;

  Shortfalls(JdbcClient jdbc, SnapshotRows rows) {
    this.jdbc = jdbc;
    this.rows = rows;
  }

  /** What a live board holds that is rebuilt from the events that PostgreSQL has. */
  public Population journaled(Period period, Board board) {
    return jdbc.sql(
            """
            with derived as (
            %s)
            select
              (select count(*) from derived) as members,
              (select coalesce(sum(points), 0) from derived) as points,
              (select count(*) from event where period_id = :period) as events
            """
                .formatted(Derivation.sql(board.scale(), Piece.WHOLE)))
        .param("period", period.id().value())
        .param("tick", tick(board.scale()))
        .query(Population.class)
        .single();
  }

  /**
   * What a rebuild lacks; empty if it has all that was sealed and copied, or lacks only what was
   * acknowledged before.
   *
   * @param rebuilt what the rebuilt board holds; all of it is in the journal in PostgreSQL
   */
  public Optional<Shortfall> find(Period period, Board board, Population rebuilt) {
    Population sealed = sealed(period);
    var affected = affected(period, board);
    long count = affected.isEmpty() ? 0 : affected.get(0).count();
    boolean complete = period.state() == PeriodState.SNAPSHOTTED;
    boolean fewer = isFewer(rebuilt, sealed) && !rebuilt.equals(period.population());
    return fewer || (complete && count > 0)
        ? Optional.of(
            new Shortfall(
                period,
                sealed,
                rebuilt,
                copied(period),
                count,
                affected.stream().map(Affected::description).toList()))
        : Optional.empty();
  }

  private static boolean isFewer(Population rebuilt, Population sealed) {
    return rebuilt.events() < sealed.events()
        || rebuilt.members() < sealed.members()
        || rebuilt.points() < sealed.points();
  }

  private Population sealed(Period period) {
    return jdbc.sql(
            """
            select sealed_members as members, sealed_points as points, sealed_events as events
            from period
            where id = :period
            """)
        .param("period", period.id().value())
        .query(Population.class)
        .single();
  }

  private long copied(Period period) {
    return jdbc.sql(
            "select count(*) from %s where period_id = :period"
                .formatted(rows.tableName(period.id())))
        .param("period", period.id().value())
        .query(Long.class)
        .single();
  }

  private record Affected(long count, String description) {}

  private List<Affected> affected(Period period, Board board) {
    return jdbc.sql(
            affectedSql(period, board)
                + """
                select
                  count(*) over () as count,
                  format('%s (%s points, now %s)', member, points,
                    coalesce(rebuilt_points::text, 'none')) as description
                from affected
                order by points desc, member
                limit :named
                """)
        .param("period", period.id().value())
        .param("tick", tick(board.scale()))
        .param("named", NAMED)
        .query(Affected.class)
        .list();
  }

  private String affectedSql(Period period, Board board) {
    Scoring scoring = board.scale().scoring();
    boolean latest = scoring == Scoring.LATEST;
    return AFFECTED.formatted(
        Derivation.sql(board.scale(), Piece.WHOLE),
        rows.tableName(period.id()),
        latest ? "reached_at <" : scoring.fewestWin() ? "points >" : "points <",
        latest ? "reached_at" : "points");
  }

  private static String tick(Scale scale) {
    return scale.resolution().micros() + " microseconds";
  }

  /** Keeps the affected members of a loss that is acknowledged, before their copies are dropped. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void keep(Period period, Board board, Lease lease) {
    jdbc.sql(
            affectedSql(period, board)
                + """
                insert into acknowledged_loss_line (
                  period_id, fence, member, points, rebuilt_points)
                select :period, :fence, member, points, rebuilt_points
                from affected
                """)
        .param("period", period.id().value())
        .param("tick", tick(board.scale()))
        .param("fence", lease.fence())
        .update();
  }
}
