package palmares.operations.amendment;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;

/**
 * Says what a person wants an amendment to change. Exclusions in force and accepted late events are
 * always included.
 *
 * @param by the name of the person who asks
 * @param reason in that person's own words
 * @param rules the rules to award by; null for those of the current revision
 * @param points the points that members shall have; not those to add
 * @param ties how ties are paid that the rules leave to a person; null to keep the earlier decision
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

  /** Keeps the earlier decision on ties. */
  public AmendmentRequest(
      String by, String reason, @Nullable Board rules, Map<MemberId, Long> points) {
    this(by, reason, rules, points, null);
  }
}
