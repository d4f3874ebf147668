package palmares.operations.lateevents;

import org.jspecify.annotations.Nullable;

/**
 * A late event, and what would be if it counted on top of what stands.
 *
 * @param included the first revision that counts it; null if none does
 * @param objection why it cannot count, or cannot be judged; null if it can
 * @param change how many points more its member would hold; negative for fewer, 0 if it cannot
 *     count
 * @param points how many it would hold then; null if it cannot count
 * @param rank the rank that it would have; null if it cannot count, or the member has none
 * @param presentRank the member's rank as it stands; null if it has none
 */
public record EvaluatedLateEvent(
    LateEvent event,
    @Nullable Integer included,
    @Nullable String objection,
    long change,
    @Nullable Long points,
    @Nullable Long rank,
    @Nullable Long presentRank) {

  static EvaluatedLateEvent of(LateEvent event, Integer revision) {
    return new EvaluatedLateEvent(event, revision, null, 0, null, null, null);
  }

  static EvaluatedLateEvent of(LateEvent event, String objection, @Nullable Long presentRank) {
    return new EvaluatedLateEvent(event, null, objection, 0, null, null, presentRank);
  }
}
