package palmares.settlement.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.Repair;
import palmares.platform.text.Sentence;
import palmares.rules.adoption.Encoding;
import palmares.rules.board.Board;
import palmares.settlement.lines.ClosingLines.Totals;
import palmares.settlement.outcome.OutcomeTables;

/**
 * Reconciles the lines of a closing before anything is paid.
 *
 * <p>The population at the seal, the lines that were written, the stored lines and the journal must
 * agree to the last point and the last tick. Lines of a big closing, which are streamed, are not
 * read again for this: their posting proves by a checksum that they are stored as they were sent.
 * An adopted board has no journal, so its lines are compared with the seal only, and the order that
 * its encoding lost is recorded.
 */
@Component
class Reconciliation {
  private final JournalReconciliation journal;
  private final SharedRankCheck sharedRanks;
  private final JdbcClient jdbc;

  Reconciliation(JournalReconciliation journal, SharedRankCheck sharedRanks, JdbcClient jdbc) {
    this.journal = journal;
    this.sharedRanks = sharedRanks;
    this.jdbc = jdbc;
  }

  /**
   * Reconciles the period's lines, in the caller's transaction.
   *
   * @param written what was read from the board and sent to PostgreSQL
   * @throws Mismatch if they differ; it names the figures and the first members that differ
   */
  void check(Period period, int outcome, Board board, Totals written) {
    board
        .kind()
        .run(
            () -> check(period, outcome, board, written, journal.compared(period, outcome, board)),
            adoption -> {
              checkAdopted(period, outcome, board, written, adoption.encoding());
              recordLosses(period, outcome, adoption.encoding());
            });
  }

  /** As {@link #check(Period, int, Board, Totals)}, for lines that were streamed. */
  void checkStreamed(
      Period period,
      int outcome,
      Board board,
      Totals written,
      JournalReconciliation.Journaled journaled) {
    check(period, outcome, board, written, journal.compared(period, outcome, written, journaled));
  }

  private void check(
      Period period,
      int outcome,
      Board board,
      Totals written,
      JournalReconciliation.Compared compared) {
    List<Sentence> faults = differences(period, written, compared.lines());
    faults.addAll(journal.differences(period, outcome, board, compared));
    // A rebuild decides again, and refuses a journal that says otherwise.
    boolean rebuilds = compared.journaled().wrong() == null;
    requireNone(period, rebuilds ? Repair.REPLACE : null, faults);
  }

  private void checkAdopted(
      Period period, int outcome, Board board, Totals written, Encoding encoding) {
    List<Sentence> faults = differences(period, written, journal.stored(outcome));
    if (encoding.usesThreeKeys()) {
      faults.addAll(sharedRanks.differences(period, outcome, board));
    }
    requireNone(period, null, faults);
  }

  private static List<Sentence> differences(
      Period period, Totals written, JournalReconciliation.Sums stored) {
    Population sealed = Objects.requireNonNull(period.population(), "sealed");
    var faults = new ArrayList<Sentence>();
    compare(faults, true, written.lines(), written.points(), sealed);
    compare(faults, false, stored.members(), stored.points(), sealed);
    return faults;
  }

  private static void requireNone(Period period, @Nullable Repair repair, List<Sentence> faults) {
    if (!faults.isEmpty()) {
      throw new Mismatch(period, repair, faults);
    }
  }

  private static void compare(
      List<Sentence> faults, boolean ofBoard, long members, long points, Population sealed) {
    if (members != sealed.members() || points != sealed.points()) {
      faults.add(
          new ReconciliationSentences.Sums(
              ofBoard, members, points, sealed.members(), sealed.points()));
    }
  }

  /**
   * Stores the groups of lines whose order an adopted board's encoding has lost, in place of those
   * that a rejected closing has stored.
   */
  private void recordLosses(Period period, int outcome, Encoding encoding) {
    jdbc.sql("delete from loss where period_id = :period").param("period", period.id()).update();
    jdbc.sql(
            """
            insert into loss (period_id, kind, points, reached_at, members)
            select
              :period,
              case
                when not :storesTime then 'no-time'
                when points > :exactPoints then 'coarse-time'
                else 'equal-time'
              end,
              points,
              reached_at,
              count(*)
            from %s
            where outcome = :outcome
            group by points, reached_at
            having count(*) > 1
            """
                .formatted(OutcomeTables.lines(outcome)))
        .param("period", period.id())
        .param("outcome", outcome)
        .param("storesTime", encoding.storesTime())
        .param("exactPoints", encoding.exactPoints())
        .update();
  }
}
