package palmares.settlement.reward;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.rules.board.Action;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.settlement.reward.RulePrizes.Due;

/** Builds the SQL for rules that ignore a member's place: milestones, actions, taking part. */
@Component
class MemberPrizes {
  private static final String BY_POINTS =
      """
      , due as (
        select ranked.member, band.credits
        from ranked
        join unnest(:firsts::bigint[], :lasts::bigint[], :prizes::bigint[])
          with ordinality as band (first, last, credits, n)
          on n = width_bucket(points, :firsts::bigint[]) and points <= last
        where may
      )
      """;

  /** Accepted late events count like events in time. */
  private static final String BY_ACTION =
      """
      , action as (
        select member, points
        from event
        where period_id = :period and action = :action
        union all
        select late_event.member, correction.points
        from correction
        join late_event on late_event.id = correction.event_id
        where correction.period_id = :period
          and correction.revision = :revision
          and late_event.board = :board
          and late_event.period = :name
          and late_event.action = :action
      ), due as (
        select member, credits
        from (
          select member, exact_sum(points) / :worth * :each as credits from action group by member
        ) given
        join ranked using (member)
        where may
      )
      """;

  private final BoardDefinitions definitions;

  MemberPrizes(BoardDefinitions definitions) {
    this.definitions = definitions;
  }

  Due milestones(RevisionContext context, Milestones rule) {
    boolean fewest = context.board().scale().scoring().fewestWin();
    return byPoints(context, PrizeBands.of(rule, fewest));
  }

  Due takingPart(RevisionContext context, TakingPart rule) {
    return byPoints(context, List.of(new Band(0, Long.MAX_VALUE, rule.credits())));
  }

  private static Due byPoints(RevisionContext context, List<Band> bands) {
    return new Due(SeatSql.lines(context) + BY_POINTS, PrizeBands.parameters(bands));
  }

  /**
   * Builds the SQL by the points of an action in the rules that the period opened under. Returns
   * empty if those have no such action.
   */
  Optional<Due> perAction(RevisionContext context, PerAction rule) {
    Action action = definitions.of(context.period()).actions().get(rule.action());
    if (action == null) {
      return Optional.empty();
    }
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("action", rule.action());
    parameters.put("worth", action.points());
    parameters.put("each", rule.credits());
    parameters.put("board", context.period().board().value());
    parameters.put("name", context.period().name().value());
    return Optional.of(new Due(SeatSql.lines(context) + BY_ACTION, parameters));
  }
}
