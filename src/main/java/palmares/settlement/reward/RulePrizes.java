package palmares.settlement.reward;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.WrongState;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.rules.payout.RewardRule.Visitor;
import palmares.settlement.reward.PlacePrizes.Places;
import palmares.settlement.reward.SeatSql.Due;

/**
 * Computes what a reward rule of any kind gives: by SQL for all members, or for one line; and finds
 * the ties that it leaves to a person.
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
  private static final String NOT_PAID_BY_EARLIER_RULE =
      """
        and not exists (
          select from %s above
          where above.outcome = :outcome and above.member = due.member)
      """;

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

  private final PlacePrizes places;
  private final BoardDefinitions definitions;
  private final JdbcClient jdbc;

  RulePrizes(PlacePrizes places, BoardDefinitions definitions, JdbcClient jdbc) {
    this.places = places;
    this.definitions = definitions;
    this.jdbc = jdbc;
  }

  /**
   * Writes what a rule gives.
   *
   * @param decided how a person decided the ties; null before
   * @throws WrongState if a payment exceeds what an account can hold
   */
  void award(RevisionContext context, RewardRule rule, @Nullable Ties decided) {
    try {
      prizes(context, rule).due(decided).ifPresent(due -> write(context, rule, due));
    } catch (DataAccessException e) {
      throw outOfRange(e)
          ? new WrongState(
              new AwardSentences.TooMuch(context.period().label(), rule.name(), rule.currency()))
          : e;
    }
  }

  /** Returns what a rule gives; empty if it gives nothing. */
  Optional<Due> due(RevisionContext context, RewardRule rule, @Nullable Ties decided) {
    return prizes(context, rule).due(decided);
  }

  /** Finds the ties that the rule leaves to a person and whose prizes depend on the decision. */
  List<HeldTie> heldTies(RevisionContext context, RewardRule rule) {
    return rule.holdsTies() ? prizes(context, rule).heldTies() : List.of();
  }

  long countRanked(RevisionContext context) {
    return jdbc.sql(
            "select count(*) from %s where outcome = :outcome and rank is not null"
                .formatted(context.lines()))
        .param("outcome", context.outcome())
        .query(Long.class)
        .single();
  }

  private void write(RevisionContext context, RewardRule rule, Due due) {
    boolean first = context.board().payout().match().isFirstOnly();
    String table = context.payments();
    String unpaid = first ? NOT_PAID_BY_EARLIER_RULE.formatted(table) : "";
    jdbc.sql(due.sql() + INSERT.formatted(table, unpaid))
        .params(context.parameters())
        .params(due.parameters())
        .param("rule", 1 + context.board().payout().rules().indexOf(rule))
        .update();
  }

  private Prizes prizes(RevisionContext context, RewardRule rule) {
    return rule.accept(new PrizesByKind(context));
  }

  private interface Prizes {
    /** Builds their SQL; empty if the rule gives nothing. */
    Optional<Due> due(@Nullable Ties decided);

    /** Finds the ties that a person must decide; only rules that pay for places have any. */
    default List<HeldTie> heldTies() {
      return List.of();
    }
  }

  private final class PrizesByKind implements Visitor<Prizes> {
    private final RevisionContext context;

    PrizesByKind(RevisionContext context) {
      this.context = context;
    }

    @Override
    public Prizes rankPrizes(RankPrizes rule) {
      return byPlace(places.places(rule));
    }

    @Override
    public Prizes topPercent(TopPercent rule) {
      return byPlace(places.places(context, rule));
    }

    @Override
    public Prizes milestones(Milestones rule) {
      boolean fewest = context.board().scale().scoring().fewestWin();
      return decided -> byPoints(PrizeBands.of(rule, fewest));
    }

    /**
     * An action gives the points of the rules that the period opened under; nothing if those do not
     * have it.
     */
    @Override
    public Prizes perAction(PerAction rule) {
      Action action = definitions.of(context.period()).actions().get(rule.action());
      return action == null ? decided -> Optional.empty() : decided -> byAction(rule, action);
    }

    @Override
    public Prizes takingPart(TakingPart rule) {
      return decided -> byPoints(List.of(new Band(0, Long.MAX_VALUE, rule.credits())));
    }

    private Prizes byPlace(Places prizes) {
      return new Prizes() {
        @Override
        public Optional<Due> due(@Nullable Ties decided) {
          return Optional.of(places.due(context, prizes, decided));
        }

        @Override
        public List<HeldTie> heldTies() {
          return places.heldTies(context, prizes);
        }
      };
    }

    private Optional<Due> byPoints(List<Band> bands) {
      return due(BY_POINTS, PrizeBands.parameters(bands));
    }

    private Optional<Due> byAction(PerAction rule, Action action) {
      return due(
          BY_ACTION,
          Map.of(
              "action", rule.action(),
              "worth", action.points(),
              "each", rule.credits(),
              "board", context.period().board(),
              "name", context.period().name()));
    }

    private Optional<Due> due(String sql, Map<String, Object> parameters) {
      return Optional.of(new Due(SeatSql.lines(context) + sql, parameters));
    }
  }

  /** Computes what a rule gives for a line; 0 for nothing. */
  interface Credits {
    long of(MemberScore line, int rank);
  }

  /** Returns what a rule gives for a line; empty if the line alone does not tell. */
  static Optional<Credits> byLine(Board board, RewardRule rule) {
    return rule.accept(new CreditsByKind(board));
  }

  private record CreditsByKind(Board board) implements Visitor<Optional<Credits>> {
    @Override
    public Optional<Credits> rankPrizes(RankPrizes rule) {
      boolean plain = rule.ties() == Ties.EACH || board.ranks() == RankMethod.UNIQUE;
      return plain && !board.payout().forfeited().movesUp()
          ? Optional.of(byBand(rule.bands(), (line, rank) -> rank))
          : Optional.empty();
    }

    /** The number that a percentage refers to is known only after all lines. */
    @Override
    public Optional<Credits> topPercent(TopPercent rule) {
      return Optional.empty();
    }

    @Override
    public Optional<Credits> milestones(Milestones rule) {
      List<Band> bands = PrizeBands.of(rule, board.scale().scoring().fewestWin());
      return Optional.of(byBand(bands, (line, rank) -> line.points()));
    }

    @Override
    public Optional<Credits> perAction(PerAction rule) {
      if (!isOnlyAction(rule)) {
        return Optional.empty();
      }
      long worth = board.actions().values().iterator().next().points();
      return Optional.of((line, rank) -> Math.multiplyExact(line.points() / worth, rule.credits()));
    }

    @Override
    public Optional<Credits> takingPart(TakingPart rule) {
      return Optional.of((line, rank) -> rule.credits());
    }

    /** If it is, all points of a member come from this action. */
    private boolean isOnlyAction(PerAction rule) {
      return board.scale().scoring() == Scoring.ADD
          && board.actions().size() == 1
          && board.actions().containsKey(rule.action())
          && board.actions().values().iterator().next().points() > 0;
    }
  }

  private static Credits byBand(List<Band> unordered, Credits by) {
    List<Band> bands = unordered.stream().sorted(Comparator.comparing(Band::from)).toList();
    long[] firsts = bands.stream().mapToLong(Band::from).toArray();
    long[] lasts = bands.stream().mapToLong(Band::to).toArray();
    long[] credits = bands.stream().mapToLong(Band::credits).toArray();
    return (line, rank) -> {
      long value = by.of(line, rank);
      int found = Arrays.binarySearch(firsts, value);
      int band = found >= 0 ? found : -found - 2;
      return band >= 0 && value <= lasts[band] ? credits[band] : 0;
    };
  }

  private static boolean outOfRange(DataAccessException e) {
    return e.getMostSpecificCause() instanceof SQLException cause
        && OUT_OF_RANGE.equals(cause.getSQLState());
  }
}
