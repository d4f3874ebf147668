package palmares.operations.lateevents;

import org.jspecify.annotations.Nullable;

/**
 * A late event, and what it would change in the current revision.
 *
 * @param included the first revision that counts it; null if none does
 * @param rejection why it cannot count or be evaluated; null if it can
 * @param change the points that its member would gain; negative for fewer, 0 if it cannot count
 * @param points the points that its member would have; null if it cannot count
 * @param rank the rank that its member would have; null if it cannot count, or if the member would
 *     have none
 * @param currentRank the member's rank in the current revision; null if it has none
 */
public record EvaluatedLateEvent(
    LateEvent event,
    @Nullable Integer included,
    @Nullable String rejection,
    long change,
    @Nullable Long points,
    @Nullable Long rank,
    @Nullable Long currentRank) {

  static EvaluatedLateEvent of(LateEvent event, Integer revision) {
    return new EvaluatedLateEvent(event, revision, null, 0, null, null, null);
  }

  static EvaluatedLateEvent of(LateEvent event, String rejection, @Nullable Long currentRank) {
    return new EvaluatedLateEvent(event, null, rejection, 0, null, null, currentRank);
  }
}
