package palmares.operations.amendment;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;

/**
 * What an amendment is to change, beside what has changed by itself: exclusions that are in force
 * now, and late events that were accepted.
 *
 * @param by who asks for it
 * @param reason in that person's own words
 * @param rules what the period awards by from now on; null for those that it awards by already
 * @param points by member, what each shall hold
 * @param ties how ties are paid that the rules leave to a person; null as they were decided before
 */
public record AmendmentRequest(
    String by,
    String reason,
    @Nullable Board rules,
    Map<MemberId, Long> points,
    @Nullable Ties ties) {
  public AmendmentRequest {
    points = Map.copyOf(points);
  }

  /** Ties as they were decided before. */
  public AmendmentRequest(
      String by, String reason, @Nullable Board rules, Map<MemberId, Long> points) {
    this(by, reason, rules, points, null);
  }
}
