package palmares.settlement.lines;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Population;
import palmares.rules.board.Board;

/** Compares the population that the journal produces with the sealed one. */
@Component
public class Shortfalls {
  private final JdbcClient jdbc;

  Shortfalls(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Computes the population of a live board that is rebuilt from the journal in PostgreSQL. */
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
                .formatted(JournalFold.sql(board.scale())))
        .param("period", period.id())
        .param("tick", board.scale().resolution().micros())
        .query(Population.class)
        .single();
  }

  /**
   * Finds what a rebuild lacks; empty if it lacks nothing, or only what was acknowledged before.
   *
   * @param rebuilt the population of the rebuilt board, all of which is in the journal
   */
  public Optional<Shortfall> find(Period period, Population rebuilt) {
    Population sealed = sealed(period);
    return isFewer(rebuilt, sealed) && !rebuilt.equals(period.population())
        ? Optional.of(new Shortfall(period, sealed, rebuilt))
        : Optional.empty();
  }

  /**
   * Whether something is lost. Each member has an event, so if all events and points are there,
   * sealed members in excess had none: somebody added their entries to the board. As the SQL
   * function {@code lacks_sealed}.
   */
  private static boolean isFewer(Population rebuilt, Population sealed) {
    boolean same = rebuilt.events() == sealed.events() && rebuilt.points() == sealed.points();
    return rebuilt.events() < sealed.events()
        || rebuilt.points() < sealed.points()
        || rebuilt.members() < sealed.members() && !same;
  }

  private Population sealed(Period period) {
    return jdbc.sql(
            """
            select sealed_members as members, sealed_points as points, sealed_events as events
            from period
            where id = :period
            """)
        .param("period", period.id())
        .query(Population.class)
        .single();
  }
}
