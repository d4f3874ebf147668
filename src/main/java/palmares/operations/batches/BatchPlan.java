package palmares.operations.batches;

import java.util.List;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.tasks.ExpectedPayout;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.TaskItems;
import palmares.period.PeriodId;
import palmares.platform.text.Sentence;
import palmares.settlement.outcome.PaymentSums.Sum;

/**
 * The periods that a batch is about to work on.
 *
 * @param exclusions for which periods are amended; null for other verbs
 * @param of the batch whose outcomes are decided on; null for other verbs
 * @param digest of what the person was shown; null for other verbs
 * @param changes what it is about to change: each period as it is now, or the outcome of it that is
 *     decided on, and the exclusions that amendments are for
 * @param pays what it pays; null if that is not computed
 */
record BatchPlan(
    BatchRows rows,
    Verb verb,
    Sentence target,
    @Nullable SortedSet<Long> exclusions,
    @Nullable Long of,
    @Nullable String digest,
    List<Planned> items,
    Supplier<List<String>> changes,
    @Nullable ExpectedPayout pays)
    implements TaskItems {
  /**
   * A period, or an outcome of it that is decided on.
   *
   * @param line what is decided on, in the ETag; empty for other verbs
   */
  record Planned(
      PeriodId period, @Nullable Integer revision, @Nullable String digest, String line) {
    static Planned of(PeriodId period) {
      return new Planned(period, null, null, "");
    }

    static Planned of(Item item, @Nullable Integer revision, @Nullable String digest) {
      return new Planned(
          item.period(), revision, digest, "%s %s %s".formatted(item.label(), revision, digest));
    }
  }

  /** What the approval of a page pays. */
  static ExpectedPayout pays(ApprovalPage page) {
    return ExpectedPayout.of(
        page.sums().stream().map(sum -> new Sum(sum.currency(), sum.gets(), sum.owes())).toList(),
        false,
        page.reasons().keySet(),
        page.digest());
  }

  Sentence order() {
    return new BatchSentences.Order(verb, items.size(), target);
  }

  @Override
  public Result dryRun() {
    Result would = Result.done(new BatchSentences.Would(order())).changing(changes);
    return pays == null ? would : would.paying(pays);
  }

  @Override
  public void store(long task) {
    rows.begin(task, this);
  }
}
