package palmares.settlement.closing;

import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.SEALED;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardGone;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.FrozenExclusions;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.platform.bulk.ParallelRunner;
import palmares.settlement.closing.ClosingSlices.Slice;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.lines.ClosingLines.JournalSums;
import palmares.settlement.lines.ClosingLines.Numbered;
import palmares.settlement.lines.ClosingLines.Totals;
import palmares.settlement.lines.FrozenSlices;
import palmares.settlement.lines.LineSlice;
import palmares.settlement.lines.Mismatch;
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
 * <p>Parallel transactions write a slice of the lines and their payments each into tables without
 * indexes, which nobody reads. If an attempt dies then, the next one fills the slices that are
 * missing. Then the slices are joined: the tables get their indexes, of many lines in parallel, and
 * become visible in the transaction that marks the period filled. If an attempt dies then, or finds
 * that the outcome is wrong, the next one drops its tables.
 */
@Component
class OwnTableFilling {
  /** For fewer lines, three commits take longer than building the indexes one after the other. */
  private static final long MIN_LINES_FOR_PARALLEL_INDEXES = 100_000;

  private final LeasedTransaction leased;
  private final FrozenExclusions exclusions;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final FrozenSlices frozen;
  private final ClosingSlices slices;
  private final SliceFilling filling;
  private final Awards awards;

  OwnTableFilling(
      LeasedTransaction leased,
      FrozenExclusions exclusions,
      Revisions revisions,
      ClosingLines lines,
      FrozenSlices frozen,
      ClosingSlices slices,
      SliceFilling filling,
      Awards awards) {
    this.leased = leased;
    this.exclusions = exclusions;
    this.revisions = revisions;
    this.lines = lines;
    this.frozen = frozen;
    this.slices = slices;
    this.filling = filling;
    this.awards = awards;
  }

  private record Begun(int outcome, InForce excluded) {}

  /** All slices, and the sums of what they hold. */
  private record Filled(
      List<LineSlice> slices,
      List<Numbered> numbered,
      Totals lines,
      PaymentStream.Totals payments) {
    static Filled of(List<Slice> slices) {
      List<ClosingSlices.Filled> filled =
          slices.stream().map(slice -> Objects.requireNonNull(slice.filled(), "filled")).toList();
      return new Filled(
          slices.stream().map(Slice::lines).toList(),
          filled.stream().map(slice -> slice.lines().numbered()).toList(),
          filled.stream().map(slice -> slice.lines().totals()).reduce(Totals::plus).orElseThrow(),
          filled.stream()
              .map(ClosingSlices.Filled::payments)
              .reduce(PaymentStream.Totals::plus)
              .orElseThrow());
    }

    Set<String> excluded() {
      return numbered.stream()
          .flatMap(slice -> slice.excluded().stream())
          .collect(Collectors.toUnmodifiableSet());
    }
  }

  /**
   * Fills the outcome. Adds up the journal meanwhile, which may last until the tables have their
   * indexes.
   *
   * @param count the number of slices, unless an attempt that died has planned them
   */
  void fill(Closing closing, int count) {
    Begun begun = begin(closing, count);
    try (JournalSums journal = lines.sums(closing.period(), closing.board())) {
      filling.fill(closing, begun.outcome(), begun.excluded());
      join(closing, begun, Filled.of(slices.of(begun.outcome())), journal);
    } catch (Mismatch | WrongState | LiveBoardGone | DataIntegrityViolationException e) {
      // What was filled may be wrong, and what repairs it may change the board.
      leased.run(closing, () -> slices.forget(begun.outcome()));
      throw e;
    }
  }

  /** Continues what an attempt has begun that died, or begins and plans. */
  private Begun begin(Closing closing, int count) {
    Period period = closing.period();
    Begun begun =
        leased.call(
            closing,
            () -> {
              InForce excluded = exclusions.inForce(period);
              Optional<Integer> unfinished = slices.unfinished(closing, excluded);
              return unfinished.isPresent()
                  ? new Begun(unfinished.get(), excluded)
                  : new Begun(beginAgain(closing), excluded);
            });
    if (slices.of(begun.outcome()).isEmpty()) {
      plan(closing, begun, count);
    }
    return begun;
  }

  /** Shares the lease: a big board may be read for longer than a lease lasts. */
  private void plan(Closing closing, Begun begun, int count) {
    leased.runShared(
        closing,
        () -> {
          List<LineSlice> planned =
              frozen.plan(closing.period(), closing.board(), begun.excluded(), count);
          slices.plan(begun.outcome(), planned, begun.excluded(), closing.lease());
        });
    closing.heartbeat().run();
  }

  private int beginAgain(Closing closing) {
    revisions.forget(closing.period().id(), Revision.FIRST);
    return revisions.begin(closing.period(), closing.board(), closing.cause().by(), Tables.OWN);
  }

  private void join(Closing closing, Begun begun, Filled filled, JournalSums journal) {
    Period period = closing.period();
    int outcome = begun.outcome();
    boolean moreAwarded = awards.hasOthers(closing.board());
    boolean many = filled.lines().lines() >= MIN_LINES_FOR_PARALLEL_INDEXES;
    if (many || moreAwarded) {
      // Renews the lease, too, which may have expired while it was shared.
      leased.run(
          closing,
          () -> {
            endSlices(period, begun, filled);
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
            endSlices(period, begun, filled);
          }
          if (!many) {
            revisions.index(outcome);
          }
          lines.reconcile(period, outcome, closing.board(), filled.lines(), journal);
          frozen.requireJoined(
              period, outcome, closing.board(), filled.slices(), filled.numbered());
          awards.finish(period, outcome, closing.board(), filled.lines(), filled.payments());
          revisions.attach(outcome);
          return transitions.advance(closing.lease(), SEALED, FILLED);
        });
  }

  /**
   * What depends on all lines is written once, so that no attempt continues the slices after it.
   */
  private void endSlices(Period period, Begun begun, Filled filled) {
    slices.forget(begun.outcome());
    exclusions.freeze(period, Revision.FIRST, begun.excluded(), filled.excluded());
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
    leased.runShared(closing, () -> revisions.index(outcome, index));
    slice.reach(1);
    slice.end();
  }
}
