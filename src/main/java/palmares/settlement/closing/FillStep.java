package palmares.settlement.closing;

import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.SEALED;

import java.util.ArrayList;
import java.util.Objects;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardGone;
import palmares.live.board.LiveBoards;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.settlement.decisions.WrongDecisions;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.lines.ClosingLines.RankedLines;
import palmares.settlement.lines.ClosingLines.Totals;
import palmares.settlement.lines.Mismatch;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.PaymentStream;

/**
 * Writes the outcome: its lines with places and ranks, and its payments, which are not money yet.
 *
 * <p>Before: the period is sealed, and its journal is in PostgreSQL. After: the period is filled;
 * lines and journal agree to the last point. The outcome and the new state commit together. If the
 * process dies, nothing of the outcome is left, except that {@link OwnTableFilling} may leave
 * tables that nobody reads; the next attempt completes or drops them.
 */
@Component
class FillStep implements ClosingStep {
  private final LeasedTransaction transaction;
  private final LiveBoards live;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final Awards awards;
  private final OwnTableFilling ownTables;
  private final FillPermits permits;
  private final WrongDecisions wrongDecisions;

  FillStep(
      LeasedTransaction transaction,
      LiveBoards live,
      Revisions revisions,
      ClosingLines lines,
      Awards awards,
      OwnTableFilling ownTables,
      FillPermits permits,
      WrongDecisions wrongDecisions) {
    this.transaction = transaction;
    this.live = live;
    this.revisions = revisions;
    this.lines = lines;
    this.awards = awards;
    this.ownTables = ownTables;
    this.permits = permits;
    this.wrongDecisions = wrongDecisions;
  }

  @Override
  public boolean run(Closing closing) {
    if (!closing.period().state().isFilled()) {
      fill(closing);
    }
    if (closing.board().kind().countsEvents()) {
      wrongDecisions.withdraw(closing.period());
    }
    return true;
  }

  private void fill(Closing closing) {
    if (closing.board().kind().countsEvents()) {
      requireLiveBoard(closing.period());
    }
    long members = Objects.requireNonNull(closing.period().population(), "sealed").members();
    closing.progress().step().expect("members", members);
    Tables tables = revisions.tablesFor(members);
    try {
      if (tables == Tables.OWN || ClosingLines.areReadAhead(members)) {
        permits.run(closing.heartbeat(), () -> fill(closing, tables, members));
      } else {
        fill(closing, tables, members);
      }
    } catch (Mismatch mismatch) {
      if (closing.board().kind().countsEvents()) {
        transaction.run(
            closing, () -> wrongDecisions.quarantine(closing.period(), closing.board()));
      }
      throw mismatch;
    }
  }

  private void fill(Closing closing, Tables tables, long members) {
    if (tables == Tables.OWN && closing.board().kind().countsEvents()) {
      ownTables.fill(closing, permits.slices(members));
      return;
    }
    transaction.change(
        closing,
        transitions -> {
          write(closing, tables);
          closing.progress().step().reach(members);
          return transitions.advance(closing.lease(), SEALED, FILLED);
        });
  }

  private void requireLiveBoard(Period period) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    if (members > 0 && !live.exists(period)) {
      throw LiveBoardGone.counted(period);
    }
  }

  /** Lines of an adopted board are ranked by SQL, so that they are not streamed in any tables. */
  private void write(Closing closing, Tables tables) {
    Period period = closing.period();
    // If a rebuild has fewer members, an earlier attempt may have left an outcome in own tables.
    revisions.forget(period.id(), Revision.FIRST);
    Board board = closing.board();
    int outcome = revisions.begin(period, board, closing.cause().by(), tables);
    board
        .kind()
        .run(
            () -> writeCounted(period, outcome, board),
            adoption -> {
              lines.write(period, outcome, board, RankedLines.NONE);
              awards.award(period, Revision.FIRST, board, null);
            });
    revisions.index(outcome);
    revisions.attach(outcome);
  }

  /** Computes the payments of lines while they are read, as {@link OwnTableFilling} does. */
  private void writeCounted(Period period, int outcome, Board board) {
    var blocks = new ArrayList<byte[]>();
    PaymentStream payments = awards.stream(period, outcome, board, blocks::add);
    Totals written = lines.write(period, outcome, board, payments::next);
    PaymentStream.Totals paid = payments.finish();
    awards.write(outcome, blocks);
    awards.awardOthers(period, outcome, board);
    awards.finish(period, outcome, board, written, paid);
  }
}
