package palmares.operations.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.text.Sentence;
import palmares.platform.time.SqlTime;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision.Decision;
import tools.jackson.databind.json.JsonMapper;

/** Reads every revision of a period and its lines, whether it is the current one or not. */
@Component
public class RevisionHistory {
  private final JdbcClient jdbc;
  private final Outcomes outcomes;
  private final FinalLines lines;

  RevisionHistory(JdbcClient jdbc, Outcomes outcomes, FinalLines lines) {
    this.jdbc = jdbc;
    this.outcomes = outcomes;
    this.lines = lines;
  }

  /**
   * One revision of a period.
   *
   * @param outcome the id by which its lines and payments are read
   * @param amends the revision that it amends; null for the first
   * @param status that of the view {@code revision_overview}
   * @param reason why it was made; null for the first
   * @param heldFor why a person must approve it; empty if nobody must
   * @param decidedBy null if nobody has decided
   * @param why the reason of the decision; null if there is none
   * @param paidAt when it was posted; null before
   */
  public record RevisionSummary(
      @JsonIgnore int outcome,
      int revision,
      @Nullable Integer amends,
      String status,
      String preparedBy,
      Instant preparedAt,
      @Nullable String reason,
      List<HoldReason> heldFor,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt,
      @Nullable Sentence why,
      @Nullable Instant paidAt) {}

  /**
   * The revisions of a period, in their order.
   *
   * @param after only those with higher numbers; null for all
   */
  public List<RevisionSummary> of(
      BoardId board, PeriodName period, @Nullable Long after, int most) {
    return jdbc.sql(
            """
            select
              revision, base, status, reason, prepared_by, prepared_at,
              held_for, decided_by, decided_at, verdict_reason,
              posted_at, outcome
            from revision_overview
            where board = :board and period = :period and revision > coalesce(:after, 0)
            order by revision
            limit :most
            """)
        .param("board", board)
        .param("period", period)
        .param("after", after)
        .param("most", most)
        .query(RevisionHistory::summary)
        .list();
  }

  /** By hand: the reason is another sentence if nobody was asked. */
  private static RevisionSummary summary(ResultSet row, int n) throws SQLException {
    String by = row.getString("decided_by");
    return new RevisionSummary(
        row.getInt("outcome"),
        row.getInt("revision"),
        row.getObject("base", Integer.class),
        row.getString("status"),
        row.getString("prepared_by"),
        SqlTime.instant(row, "prepared_at"),
        row.getString("reason"),
        List.of(JsonMapper.shared().readValue(row.getString("held_for"), HoldReason[].class)),
        by,
        SqlTime.nullableInstant(row, "decided_at"),
        by == null ? null : Decision.why(by, row.getString("verdict_reason")),
        SqlTime.nullableInstant(row, "posted_at"));
  }

  /** Reads the best lines of a revision in order of place, without holding them all in memory. */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public void first(
      BoardId board, PeriodName period, int revision, int count, Consumer<FinalLine> line) {
    outcomes.of(board, period, revision).ifPresent(outcome -> lines.each(outcome, 1, count, line));
  }

  /** The best lines of a revision. */
  public List<FinalLine> top(BoardId board, PeriodName period, int revision, int count) {
    return outcomes
        .of(board, period, revision)
        .map(outcome -> lines.list(outcome, 1, count))
        .orElse(List.of());
  }

  /** The number of lines of a revision. */
  public long members(BoardId board, PeriodName period, int revision) {
    return outcomes.of(board, period, revision).map(lines::count).orElse(0L);
  }

  /**
   * The hashes of the rules by which these periods award.
   *
   * @param revision null for the current one
   */
  public List<String> rules(BoardId board, List<PeriodName> periods, @Nullable Integer revision) {
    return jdbc.sql(
            """
            select revision.definition_hash
            from revision
            join period on period.id = revision.period_id
            where board = :board
              and name = any(:periods::text[])
              and revision.revision = coalesce(:revision, period.revision)
            group by revision.definition_hash
            order by max(period.starts_at), revision.definition_hash
            """)
        .param("board", board)
        .param("periods", periods)
        .param("revision", revision)
        .query(String.class)
        .list();
  }
}
