package palmares.operations.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Finds outcomes by board, period and revision. Lines and payments are then read by the outcome's
 * id, so that PostgreSQL reads the tables of that outcome only.
 */
@Component
class Outcomes {
  private static final String COLUMNS =
      """
      select revision.id, period.name as period, array(
        select part from award_part where award_part.outcome = revision.id) as parts
      from period
      join revision on revision.period_id = period.id
      where period.board = :board
      """;

  private static final String SETTLED =
      """
      select period.board, revision.id, period.name as period, period.starts_at, period.ends_at,
        period.revision, coalesce(rebuilt_members, sealed_members) as members,
        revision.definition_hash,
        array(select part from award_part where award_part.outcome = revision.id) as parts
      from period
      join revision on revision.period_id = period.id
      """;

  private static final String CURRENT =
      "and revision.revision = period.revision and is_settled(period.state) ";

  /** Outcomes with own tables, which a statement locks. */
  static final int MAX_OWN_TABLES_PER_STATEMENT = 100;

  private final JdbcClient jdbc;

  Outcomes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One revision of a period.
   *
   * @param parts the outcomes whose changes add up to its awards; for an amendment, with the
   *     earlier ones
   */
  record Outcome(int id, PeriodName period, List<Integer> parts) {}

  /** Splits outcomes into those that one statement may read. */
  static List<List<Integer>> slices(List<Integer> own, int most) {
    var slices = new ArrayList<List<Integer>>();
    for (int i = 0; i < own.size(); i += most) {
      slices.add(own.subList(i, Math.min(i + most, own.size())));
    }
    return slices;
  }

  /** The current outcome of a settled period; empty if the period is not settled. */
  Optional<Outcome> current(BoardId board, PeriodName period) {
    return jdbc.sql(COLUMNS + CURRENT + "and period.name = :period")
        .param("board", board)
        .param("period", period)
        .query(Outcome.class)
        .optional();
  }

  /**
   * The current outcomes of settled periods of a board, the earliest period first.
   *
   * @param periods only these; null for all
   */
  List<Outcome> current(BoardId board, @Nullable List<PeriodName> periods) {
    return jdbc.sql(
            COLUMNS
                + CURRENT
                + """
                and period.name = any(coalesce(:periods::text[], array[period.name]))
                order by period.starts_at
                """)
        .param("board", board)
        .param("periods", periods)
        .query(Outcome.class)
        .list();
  }

  /** The outcome of a revision, posted or not. */
  Optional<Outcome> of(BoardId board, PeriodName period, int revision) {
    return jdbc.sql(COLUMNS + "and period.name = :period and revision.revision = :revision")
        .param("board", board)
        .param("period", period)
        .param("revision", revision)
        .query(Outcome.class)
        .optional();
  }

  /**
   * A settled period in the revision in force.
   *
   * @param members the members at the seal, hidden ones too
   * @param definitionHash the rules that the revision awards by
   */
  record SettledPeriod(
      BoardId board,
      Outcome outcome,
      Instant startsAt,
      Instant endsAt,
      int revision,
      long members,
      String definitionHash) {

    PeriodName name() {
      return outcome.period();
    }
  }

  /**
   * The board's settled periods that started before a time, the latest first. A posted outcome
   * never changes, so reading their lines later shows them as of now.
   *
   * @param time null for the latest ones
   */
  List<SettledPeriod> settledBefore(BoardId board, @Nullable Instant time, int most) {
    return jdbc.sql(
            SETTLED
                + """
                where period.board = :board
                  and period.starts_at < coalesce(:time::timestamptz, 'infinity')
                """
                + CURRENT
                + "order by period.starts_at desc limit :most")
        .param("board", board)
        .param("time", time)
        .param("most", most)
        .query(SettledPeriod.class)
        .list();
  }

  /**
   * The settled periods of all boards after one of them, by board, the latest first.
   *
   * @param last the last one of the page before; null for the first page
   */
  List<SettledPeriod> settledAfter(@Nullable SettledPeriod last, int most) {
    return jdbc.sql(
            SETTLED
                + """
                where (:board::text is null
                    or period.board > :board
                    or period.board = :board and period.starts_at < :time::timestamptz)
                """
                + CURRENT
                + "order by period.board, period.starts_at desc limit :most")
        .param("board", last == null ? null : last.board())
        .param("time", last == null ? null : last.startsAt())
        .param("most", most)
        .query(SettledPeriod.class)
        .list();
  }
}
