package palmares.settlement.reward;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.rules.payout.RewardRule.Visitor;

/**
 * Writes the payments of a reward rule of any kind, and finds the ties that it leaves to a person.
 */
@Component
class RulePrizes {
  /** The SQLSTATE for a number that does not fit into its column. */
  private static final String OUT_OF_RANGE = "22003";

  /** Inserts in the order of the index. */
  private static final String INSERT =
      """
      insert into %s (outcome, rule, purpose, member, amount)
      select :outcome, :rule, 1, member, credits
      from due
      where credits > 0
      %s
      order by member
      """;

  /** Rules are applied in the file's order, so an earlier rule may have paid the member. */
  private static final String AND_NOT_PAID_YET =
      """
        and not exists (
          select from %s above
          where above.outcome = :outcome and above.member = due.member)
      """;

  private final PlacePrizes places;
  private final MemberPrizes members;
  private final JdbcClient jdbc;

  RulePrizes(PlacePrizes places, MemberPrizes members, JdbcClient jdbc) {
    this.places = places;
    this.members = members;
    this.jdbc = jdbc;
  }

  /**
   * Is the SQL that computes what a rule gives.
   *
   * @param sql common table expressions, the last of them {@code due}: member, credits
   * @param parameters in addition to {@link RevisionContext#parameters()}
   */
  record Due(String sql, Map<String, Object> parameters) {}

  /**
   * Writes what a rule gives.
   *
   * @param decided how a person decided the ties; null before
   * @throws AwardsTooLarge if a payment exceeds what an account can hold
   */
  void award(RevisionContext context, RewardRule rule, @Nullable Ties decided) {
    try {
      rule.accept(new DueByKind(context, decided)).ifPresent(due -> write(context, rule, due));
    } catch (DataAccessException e) {
      throw outOfRange(e)
          ? new AwardsTooLarge(
              "%s: the rule '%s' awards a member more %s than an account can hold"
                  .formatted(context.period().label(), rule.name(), rule.currency()))
          : e;
    }
  }

  /** Finds the ties that the rule leaves to a person and whose prizes depend on the decision. */
  List<HeldTie> heldTies(RevisionContext context, RewardRule rule) {
    return rule.holdsTies() ? rule.accept(new HeldTiesByKind(context)) : List.of();
  }

  /** Counts the lines that have a rank. */
  long countRanked(RevisionContext context) {
    return jdbc.sql(
            "select count(*) from %s where outcome = :outcome and rank is not null"
                .formatted(context.lines()))
        .param("outcome", context.revision().id())
        .query(Long.class)
        .single();
  }

  private void write(RevisionContext context, RewardRule rule, Due due) {
    boolean first = context.board().payout().match() == Payout.Match.FIRST;
    String table = context.payments();
    jdbc.sql(due.sql() + INSERT.formatted(table, first ? AND_NOT_PAID_YET.formatted(table) : ""))
        .params(context.parameters())
        .params(due.parameters())
        .param("rule", 1 + context.board().payout().rules().indexOf(rule))
        .update();
  }

  /** Builds the SQL for a rule of each kind; empty if the rule gives nothing. */
  private final class DueByKind implements Visitor<Optional<Due>> {
    private final RevisionContext context;
    private final @Nullable Ties decided;

    DueByKind(RevisionContext context, @Nullable Ties decided) {
      this.context = context;
      this.decided = decided;
    }

    @Override
    public Optional<Due> rankPrizes(RankPrizes rule) {
      return Optional.of(places.due(context, places.places(rule), decided));
    }

    @Override
    public Optional<Due> topPercent(TopPercent rule) {
      return Optional.of(places.due(context, places.places(context, rule), decided));
    }

    @Override
    public Optional<Due> milestones(Milestones rule) {
      return Optional.of(members.milestones(context, rule));
    }

    @Override
    public Optional<Due> perAction(PerAction rule) {
      return members.perAction(context, rule);
    }

    @Override
    public Optional<Due> takingPart(TakingPart rule) {
      return Optional.of(members.takingPart(context, rule));
    }
  }

  /** Finds the ties of a rule of each kind; member rules have none. */
  private final class HeldTiesByKind implements Visitor<List<HeldTie>> {
    private final RevisionContext context;

    HeldTiesByKind(RevisionContext context) {
      this.context = context;
    }

    @Override
    public List<HeldTie> rankPrizes(RankPrizes rule) {
      return places.heldTies(context, places.places(rule));
    }

    @Override
    public List<HeldTie> topPercent(TopPercent rule) {
      return places.heldTies(context, places.places(context, rule));
    }

    @Override
    public List<HeldTie> milestones(Milestones rule) {
      return List.of();
    }

    @Override
    public List<HeldTie> perAction(PerAction rule) {
      return List.of();
    }

    @Override
    public List<HeldTie> takingPart(TakingPart rule) {
      return List.of();
    }
  }

  private static boolean outOfRange(DataAccessException e) {
    return e.getMostSpecificCause() instanceof SQLException cause
        && OUT_OF_RANGE.equals(cause.getSQLState());
  }
}
