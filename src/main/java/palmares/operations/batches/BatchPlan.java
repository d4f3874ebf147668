package palmares.operations.batches;

import java.util.List;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.TaskItems;
import palmares.period.PeriodId;
import palmares.platform.text.Sentence;

/**
 * The periods that a batch is about to work on.
 *
 * @param exclusions for which periods are amended; null for other verbs
 * @param of the batch whose outcomes are decided on; null for other verbs
 * @param digest of what the person was shown; null for other verbs
 * @param changes what it is about to change: each period as it is now, or the outcome of it that is
 *     decided on, and the exclusions that amendments are for
 */
record BatchPlan(
    BatchRows rows,
    Verb verb,
    Sentence target,
    @Nullable SortedSet<Long> exclusions,
    @Nullable Long of,
    @Nullable String digest,
    List<Planned> items,
    Supplier<List<String>> changes)
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

  Sentence order() {
    return new BatchSentences.Order(verb, items.size(), target);
  }

  @Override
  public Result dryRun() {
    return Result.done(new BatchSentences.Would(order())).changing(changes);
  }

  @Override
  public void store(long task) {
    rows.begin(task, this);
  }
}
