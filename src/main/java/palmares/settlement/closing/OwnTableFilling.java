package palmares.settlement.closing;

import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.SEALED;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.Exclusions.InForce;
import palmares.platform.bulk.BulkLoad;
import palmares.platform.bulk.ParallelRunner;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.lines.ClosingLines.JournalSums;
import palmares.settlement.lines.ClosingLines.Streamed;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.OutcomeTables.Index;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.PaymentStream;

/**
 * Fills the outcome of a big period, in own tables.
 *
 * <p>Two parallel transactions write lines and payments into tables without indexes, which nobody
 * reads. Then the tables get their indexes, of many lines in parallel. They become visible in the
 * transaction that marks the period filled. If an attempt dies before that, the next one drops its
 * tables.
 */
@Component
class OwnTableFilling {
  /** For fewer lines, three commits take longer than building the indexes one after the other. */
  private static final long MIN_LINES_FOR_PARALLEL_INDEXES = 100_000;

  private final LeasedTransaction leased;
  private final Leases leases;
  private final Exclusions exclusions;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final Awards awards;
  private final BulkLoad bulkLoad;
  private final TransactionTemplate transaction;

  OwnTableFilling(
      LeasedTransaction leased,
      Leases leases,
      Exclusions exclusions,
      Revisions revisions,
      ClosingLines lines,
      Awards awards,
      BulkLoad bulkLoad,
      TransactionTemplate transaction) {
    this.leased = leased;
    this.leases = leases;
    this.exclusions = exclusions;
    this.revisions = revisions;
    this.lines = lines;
    this.awards = awards;
    this.bulkLoad = bulkLoad;
    this.transaction = transaction;
  }

  private record Begun(int outcome, InForce excluded) {}

  private record Sent(Streamed lines, PaymentStream payments) {}

  /** Adds up the journal meanwhile, which may last until the tables have their indexes. */
  void fill(Closing closing) {
    Begun begun = leased.call(closing, () -> begin(closing));
    try (JournalSums journal = lines.sums(closing.period(), closing.board())) {
      fill(closing, begun, journal);
    }
  }

  private void fill(Closing closing, Begun begun, JournalSums journal) {
    Period period = closing.period();
    int outcome = begun.outcome();
    Sent sent = stream(closing, begun);
    boolean moreAwarded = awards.hasOthers(closing.board());
    boolean many = sent.lines().totals().lines() >= MIN_LINES_FOR_PARALLEL_INDEXES;
    if (many || moreAwarded) {
      // Renews the lease, too, which may have expired while it was shared.
      leased.run(
          closing,
          () -> {
            freeze(period, begun, sent);
            awards.awardOthers(period, outcome, closing.board());
          });
    }
    if (many) {
      indexInParallel(closing, outcome);
    }
    leased.change(
        closing,
        transitions -> {
          if (!many && !moreAwarded) {
            freeze(period, begun, sent);
          }
          if (!many) {
            revisions.index(outcome);
          }
          lines.reconcile(period, outcome, closing.board(), sent.lines(), journal);
          awards.finish(period, outcome, closing.board(), sent.lines().totals(), sent.payments());
          revisions.attach(outcome);
          return transitions.advance(closing.lease(), SEALED, FILLED);
        });
  }

  private void freeze(Period period, Begun begun, Sent sent) {
    exclusions.freeze(period, Revision.FIRST, begun.excluded(), sent.lines().excluded());
  }

  private Begun begin(Closing closing) {
    revisions.forget(closing.period().id(), Revision.FIRST);
    InForce excluded = exclusions.inForce(closing.period());
    int outcome =
        revisions.begin(closing.period(), closing.board(), closing.cause().by(), Tables.OWN);
    return new Begun(outcome, excluded);
  }

  private Sent stream(Closing closing, Begun begun) {
    try (var pipe =
        bulkLoad.pipe(
            OutcomeTables.payments(begun.outcome()) + " " + PaymentStream.COLUMNS,
            () -> leases.share(closing.lease()))) {
      PaymentStream payments =
          awards.stream(closing.period(), begun.outcome(), closing.board(), pipe::write);
      RunProgress.Part step = closing.progress().step();
      long[] ranked = {0};
      Streamed streamed =
          lines.stream(
              closing.lease(),
              closing.period(),
              begun.outcome(),
              closing.board(),
              begun.excluded(),
              (line, rank, excluded) -> {
                payments.next(line, rank, excluded);
                step.reach(++ranked[0]);
              });
      step.reach(streamed.totals().lines());
      payments.finish();
      pipe.finish();
      return new Sent(streamed, payments);
    }
  }

  private void indexInParallel(Closing closing, int outcome) {
    ParallelRunner.run(
        OutcomeTables.INDEXES.stream()
            .map(index -> (Runnable) () -> indexAlone(closing, outcome, index))
            .toList());
  }

  private void indexAlone(Closing closing, int outcome, Index index) {
    RunProgress.Part slice =
        closing
            .progress()
            .slice("index %s (%s)".formatted(index.rows(), index.columns()), "indexes", 1L);
    transaction.executeWithoutResult(
        status -> {
          leases.share(closing.lease());
          revisions.index(outcome, index);
        });
    slice.reach(1);
    slice.end();
  }
}
