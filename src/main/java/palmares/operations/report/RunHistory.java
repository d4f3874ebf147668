package palmares.operations.report;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Reads the runs that closed periods, and how long closings usually take. */
@Component
public class RunHistory {
  private final JdbcClient jdbc;

  RunHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** What became of a run. */
  public enum RunOutcome implements Choice {
    RUNNING,
    SETTLED,
    HELD,
    FAILED,
    /** Its process has ended, and has not said what became of it. */
    ABANDONED
  }

  /**
   * One run of a closing.
   *
   * @param node the server that ran it
   * @param stack the stack trace of the failure; null if it did not fail
   * @param notes what a reader of the period's lines should know in addition
   */
  public record RunSummary(
      long id,
      String board,
      String period,
      String cause,
      String node,
      Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String step,
      RunOutcome outcome,
      @Nullable Sentence failure,
      @Nullable String stack,
      List<Sentence> notes) {}

  /**
   * Says what a step of a run, or a slice of it, has done.
   *
   * @param slice the part of the step that ran in parallel with others; empty for the whole step
   * @param unit what is counted, in the plural; empty if nothing is
   * @param endedAt null while it runs, and if the run ended before it did
   * @param total null if it is not known
   * @param perSecond null if no time has passed
   * @param secondsLeft null unless it runs and its total is known
   */
  public record Step(
      String step,
      String slice,
      String unit,
      Instant startedAt,
      @Nullable Instant endedAt,
      long done,
      @Nullable Long total,
      @Nullable Double perSecond,
      @Nullable Double secondsLeft) {}

  /** A run, and its steps in the order in which they began. */
  public record Timeline(RunSummary run, List<Step> steps) {
    public Timeline {
      steps = List.copyOf(steps);
    }
  }

  /** Returns the runs of one period, the last one first, with what their steps did. */
  public List<Timeline> timeline(BoardId board, PeriodName period, int count) {
    return latest(board, period, null, null, count).stream()
        .map(run -> new Timeline(run, steps(run.id())))
        .toList();
  }

  private List<Step> steps(long run) {
    return jdbc.sql("select * from step_overview where run_id = :run order by n")
        .param("run", run)
        .query(Step.class)
        .list();
  }

  /**
   * The latest runs, the last one first.
   *
   * @param board only this board's; null for all
   * @param period only this period's; null for all
   * @param outcome only those with this outcome; null for all
   * @param before only those before the run with this id; null for all
   */
  public List<RunSummary> latest(
      @Nullable BoardId board,
      @Nullable PeriodName period,
      @Nullable RunOutcome outcome,
      @Nullable Long before,
      int count) {
    return jdbc.sql(
            """
            select
              id, board, period, run.cause, run.node, run.started_at, run.ended_at, run.step,
              run.outcome, run.failure, run.stack, (
                select jsonb_agg(note order by note ->> 'code' desc, note)
                from period_note
                where period_note.board = run_overview.board
                  and period_note.period = run_overview.period) as notes
            from run_overview
            join run using (id)
            where (:before::bigint is null or id < :before)
              and board = coalesce(:board, board)
              and period = coalesce(:period, period)
              and run.outcome = coalesce(:outcome, run.outcome)
            order by id desc
            limit :count
            """)
        .param("board", board)
        .param("period", period)
        .param("outcome", outcome)
        .param("before", before)
        .param("count", count)
        .query(RunSummary.class)
        .list();
  }

  /** Whether a run of a period has completed a step, as it recorded in the step's transaction. */
  public boolean hasDone(PeriodId period, String step) {
    return jdbc.sql(
            """
            select exists (
              select from run
              join step_progress on step_progress.run_id = run.id
              where run.period_id = :period
                and step_progress.step = :step
                and step_progress.slice = ''
                and step_progress.ended_at is not null)
            """)
        .param("period", period)
        .param("step", step)
        .query(Boolean.class)
        .single();
  }

  /** All runs that have not ended, the last one first. */
  public List<RunSummary> running() {
    return jdbc.sql(
            """
            select *, null as notes
            from run_overview
            where outcome = 'running'
            order by id desc
            """)
        .query(RunSummary.class)
        .list();
  }
}
