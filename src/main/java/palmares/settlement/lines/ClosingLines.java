package palmares.settlement.lines;

import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.platform.sql.RecordMapper.Prefixed;
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

  ClosingLines(FrozenLines frozen, Reconciliation reconciliation, JournalReconciliation journal) {
    this.frozen = frozen;
    this.reconciliation = reconciliation;
    this.journal = journal;
  }

  /**
   * Returns whether a board with this number of members is read by another thread, which looks up
   * times on its own connection.
   */
  public static boolean areReadAhead(long members) {
    return members > LineSlice.LINES_PER_PAGE;
  }

  /** The largest number of members for which {@link #areReadAhead} does not hold. */
  public static long mostNotReadAhead() {
    return LineSlice.LINES_PER_PAGE;
  }

  /**
   * Holds the sums of lines that were sent to PostgreSQL.
   *
   * @param checksum the sum of line_hash over the lines
   * @param fingerprint the sum that the journal's lines have, too
   */
  public record Totals(long lines, long points, BigInteger checksum, BigInteger fingerprint) {
    /** The sums of both together. */
    public Totals plus(Totals other) {
      return new Totals(
          lines + other.lines,
          Math.addExact(points, other.points),
          checksum.add(other.checksum),
          fingerprint.add(other.fingerprint));
    }
  }

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
   * What a slice of a board holds.
   *
   * @param ranked the number of its lines with a rank
   * @param unranked the number of its lines with a place but no rank
   * @param excluded the members on it who are excluded
   */
  public record Numbered(int ranked, int unranked, Set<String> excluded) {}

  /**
   * What was streamed of a slice of a big board.
   *
   * @param totals the sums of its lines
   */
  public record Streamed(@Prefixed Numbered numbered, Totals totals) {}

  /**
   * Numbers and encodes the lines of a slice.
   *
   * @param sink receives blocks of rows in the order of {@link LineRows#COLUMNS}
   * @param ranked receives each line that has a rank
   * @throws Mismatch if the lines of the board are out of order
   */
  public Streamed stream(
      Period period,
      int outcome,
      Board board,
      InForce excluded,
      LineSlice slice,
      Consumer<byte[]> sink,
      RankedLines ranked) {
    var rows = new LineRows(outcome, sink);
    Numbered numbered = frozen.number(period, board, excluded, slice, rows, ranked);
    return new Streamed(numbered, rows.finish());
  }

  /** The table of an outcome's lines and its columns, for {@link #stream}. */
  public static String target(int outcome) {
    return OutcomeTables.lines(outcome) + " " + LineRows.COLUMNS;
  }

  /**
   * Checks that PostgreSQL has stored all lines that were sent.
   *
   * @throws Mismatch if it has not
   */
  public static void requireAll(Period period, Totals sent, long stored) {
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
      Period period, int outcome, Board board, Totals streamed, JournalSums journal) {
    reconciliation.checkStreamed(period, outcome, board, streamed, journal.await());
  }
}
