package palmares.operations.report;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Outcomes.Outcome;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Reads notes on periods from the views {@code period_note} and {@code loss_line}: losses of order
 * on adopted boards, and late events.
 */
@Component
public class PeriodNotes {
  private final JdbcClient jdbc;
  private final Outcomes outcomes;

  PeriodNotes(JdbcClient jdbc, Outcomes outcomes) {
    this.jdbc = jdbc;
    this.outcomes = outcomes;
  }

  /**
   * Members of an adopted board whose order is not known from their scores.
   *
   * @param kind the reason: {@code no-time}, {@code equal-time} or {@code coarse-time}
   * @param reachedAt their common time; null if unknown
   * @param members the number of members
   * @param firstPlace the best place among them
   * @param first the first ten members, by place
   */
  public record LossGroup(
      String kind,
      long points,
      @Nullable Instant reachedAt,
      long members,
      long firstPlace,
      List<String> first) {}

  /** A note on a period, {@code board period}. */
  public record PeriodNote(String period, Sentence said) {}

  /** The notes on a period. */
  public List<Sentence> of(BoardId board, PeriodName period) {
    return all(board, period).stream().map(PeriodNote::said).toList();
  }

  /** The notes; null for all boards, or all periods. */
  public List<PeriodNote> all(@Nullable BoardId board, @Nullable PeriodName period) {
    return jdbc.sql(
            """
            select board || ' ' || period as period, note as said
            from period_note
            where board = coalesce(:board, board) and period = coalesce(:period, period)
            order by board, period_note.period, note ->> 'code' desc, note
            """)
        .param("board", board)
        .param("period", period)
        .query(PeriodNote.class)
        .list();
  }

  /** The groups of members in unknown order, best places first. */
  public List<LossGroup> losses(BoardId board, PeriodName period, int count) {
    return outcomes.current(board, period).map(outcome -> losses(outcome, count)).orElse(List.of());
  }

  private List<LossGroup> losses(Outcome outcome, int count) {
    return jdbc.sql(
            """
            select
              kind,
              points,
              reached_at,
              members,
              min(place) as first_place,
              (array_agg(member order by place))[1\\:10] as first
            from loss_line
            where outcome = :outcome
            group by kind, points, reached_at, members
            order by first_place
            limit :count
            """)
        .param("outcome", outcome.id())
        .param("count", count)
        .query(LossGroup.class)
        .list();
  }
}
