package palmares.settlement.lines;

import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.exclusion.Exclusions.InForce;
import palmares.platform.bulk.BulkLoad;
import palmares.platform.threads.LogContext;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;

/** Writes the lines of a closing and reconciles them with the journal. */
@Component
public class ClosingLines {
  private final FrozenLines frozen;
  private final Reconciliation reconciliation;
  private final JournalReconciliation journal;
  private final BulkLoad bulkLoad;
  private final Leases leases;

  ClosingLines(
      FrozenLines frozen,
      Reconciliation reconciliation,
      JournalReconciliation journal,
      BulkLoad bulkLoad,
      Leases leases) {
    this.frozen = frozen;
    this.reconciliation = reconciliation;
    this.journal = journal;
    this.bulkLoad = bulkLoad;
    this.leases = leases;
  }

  /**
   * Returns whether a board with this number of members is read by another thread, which looks up
   * times on its own connection.
   */
  public static boolean areReadAhead(long members) {
    return members > FrozenLines.LINES_PER_PAGE;
  }

  /**
   * Holds the sums of lines that were sent to PostgreSQL.
   *
   * @param checksum the sum of line_hash over the lines
   * @param fingerprint the sum that the journal's lines have, too
   */
  public record Totals(long lines, long points, BigInteger checksum, BigInteger fingerprint) {}

  /**
   * Writes the lines of an outcome that has none yet, and freezes its exclusions.
   *
   * @param ranked receives each line that has a rank; none of an adopted board, which SQL ranks
   * @throws Mismatch if board, lines and journal differ; the transaction must roll back
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Totals write(Period period, int outcome, Board board, RankedLines ranked) {
    Totals totals = frozen.write(period, Revision.FIRST, outcome, board, ranked);
    reconciliation.check(period, outcome, board, totals);
    return totals;
  }

  /** Receives the ranked lines of a closing in the order of their places. */
  public interface RankedLines {
    /** Ignores the lines. */
    RankedLines NONE = (line, rank, excluded) -> {};

    /**
     * Receives the next line.
     *
     * @param excluded whether the member is excluded from prizes
     */
    void next(MemberScore line, int rank, boolean excluded);
  }

  /** The sums of a journal, which another thread adds up on its own connection. */
  public static final class JournalSums implements AutoCloseable {
    private final CompletableFuture<JournalReconciliation.Journaled> journaled;

    private JournalSums(CompletableFuture<JournalReconciliation.Journaled> journaled) {
      this.journaled = journaled;
    }

    private JournalReconciliation.Journaled await() {
      try {
        return journaled.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    }

    /** Waits until the other thread has given its connection back. */
    @Override
    public void close() {
      journaled.handle((sums, failure) -> sums).join();
    }
  }

  /** Starts to add up a period's journal. */
  public JournalSums sums(Period period, Board board) {
    return new JournalSums(
        CompletableFuture.supplyAsync(LogContext.wrap(() -> journal.journaled(period, board))));
  }

  /**
   * What was streamed of a big board.
   *
   * @param excluded the members on the board who are excluded
   * @param totals the sums of all lines
   */
  public record Streamed(Set<String> excluded, Totals totals) {}

  /**
   * Writes the lines into the outcome's own tables, which nobody reads yet. Another thread writes
   * them in its own transaction.
   *
   * @param ranked receives each line that has a rank
   * @throws Mismatch if the lines of the board are out of order
   */
  public Streamed stream(
      Lease lease, Period period, int outcome, Board board, InForce excluded, RankedLines ranked) {
    try (var pipe =
        bulkLoad.pipe(
            OutcomeTables.lines(outcome) + " " + LineRows.COLUMNS, () -> leases.share(lease))) {
      var rows = new LineRows(outcome, pipe::write);
      Set<String> present = frozen.number(period, board, excluded, rows, ranked);
      Totals totals = rows.finish();
      requireAll(period, totals, pipe.finish());
      return new Streamed(present, totals);
    }
  }

  private static void requireAll(Period period, Totals sent, long stored) {
    if (stored != sent.lines()) {
      throw new Mismatch(
          period, null, List.of(new ReconciliationSentences.NotStored(sent.lines(), stored)));
    }
  }

  /**
   * Reconciles what was streamed with the seal and the journal.
   *
   * @throws Mismatch if they differ
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void reconcile(
      Period period, int outcome, Board board, Streamed streamed, JournalSums journal) {
    reconciliation.checkStreamed(period, outcome, board, streamed.totals(), journal.await());
  }
}
