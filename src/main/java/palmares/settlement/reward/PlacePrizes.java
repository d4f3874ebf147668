package palmares.settlement.reward;

import java.sql.Array;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.PlaceRule;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Remainder;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.settlement.reward.RulePrizes.Due;

/** Builds the SQL for rules that pay by place: by rank, or by top percent. */
@Component
class PlacePrizes {
  /** Divides a group's pool by its size, which includes members who may not win. */
  private static final String SHARED =
      """
      , tied as materialized (
        select distinct position, size from seated where position <= :last
      ), pooled as materialized (
        select
          position,
          sum(
            (least(position + size - 1, last) - greatest(position, first) + 1)::numeric * credits)
            as pool
        from tied
        join band on first <= position + size - 1 and last >= position
        group by position
      ), due as (
        select
          member,
          div(pool, size)
            + case when :toFirst and seat - position < mod(pool, size) then 1 else 0 end
            as credits
        from seated
        join pooled using (position)
        where may
      )
      """;

  /** Finds the band of a place by binary search, since the bands are sorted. */
  private static final String OWN =
      """
      , due as (
        select member, credits
        from seated
        join band on n = width_bucket(%1$s, :firsts::bigint[]) and %1$s <= last
        where may
      )
      """;

  /**
   * Finds groups of equal points in which the decision changes a prize. On a dense board a tie
   * ranked ahead shifts all seats after it. So a single member can have one prize by its rank and
   * another by its seat.
   */
  private static final String HELD =
      """
      , by_rank as materialized (
        select member, coalesce(credits, 0) as credits
        from seated
        left join band on n = width_bucket(%1$s, :firsts::bigint[]) and %1$s <= last
        where may
      ), by_seat as materialized (
        select member, coalesce(credits, 0) as credits
        from seated
        left join band on n = width_bucket(seat, :firsts::bigint[]) and seat <= last
        where may
      ), held as materialized (
        select
          position,
          %1$s as shown,
          size,
          array_agg(member order by seat) filter (where seat < position + 10) as members
        from seated
        left join by_rank using (member)
        left join by_seat using (member)
        left join due using (member)
        where %1$s <= :last
        group by position, %1$s, size
        having bool_or(
          may and (by_rank.credits <> by_seat.credits
            or by_rank.credits <> coalesce(due.credits, 0)))
      )
      select shown, size, members, coalesce(pool, 0) as pool
      from held
      left join pooled using (position)
      order by position
      """;

  private final JdbcClient jdbc;

  PlacePrizes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Is a rule's prizes by place.
   *
   * @param column the column of {@link SeatSql#seats} that has the places
   */
  record Places(PlaceRule rule, String column, List<Band> bands) {
    private Map<String, Object> parameters() {
      var parameters = new HashMap<>(PrizeBands.parameters(bands));
      parameters.put("toFirst", rule.remainder() == Remainder.FIRST);
      return parameters;
    }
  }

  Places places(RankPrizes rule) {
    return new Places(rule, "rank", rule.bands());
  }

  Places places(RevisionContext context, TopPercent rule) {
    long of = denominators(context).getOrDefault(rule.of(), 0L);
    return new Places(rule, "position", PrizeBands.of(rule, of));
  }

  Due due(RevisionContext context, Places places, @Nullable Ties decided) {
    Ties ties = places.rule().ties();
    Ties way = ties == Ties.HOLD ? decided == null ? Ties.SHARE : decided : ties;
    String due =
        switch (way) {
          case EACH -> OWN.formatted(places.column());
          case ORDER -> OWN.formatted("seat");
          case SHARE, HOLD -> SHARED;
        };
    return new Due(SeatSql.seats(context) + due, places.parameters());
  }

  /** Finds the ties that the rule leaves to a person and whose prizes depend on the decision. */
  List<HeldTie> heldTies(RevisionContext context, Places places) {
    return jdbc.sql(SeatSql.seats(context) + SHARED + HELD.formatted(places.column()))
        .params(context.parameters())
        .params(places.parameters())
        .query(
            (row, n) -> {
              Array members = row.getArray("members");
              return new HeldTie(
                  places.rule().name(),
                  places.rule().currency(),
                  row.getLong("shown"),
                  row.getLong("size"),
                  List.of((String[]) members.getArray()),
                  row.getBigDecimal("pool").longValueExact());
            })
        .list();
  }

  Map<Denominator, Long> denominators(RevisionContext context) {
    return jdbc.sql(
            SeatSql.lines(context)
                + "select count(*) as ranked, count(*) filter (where may) as eligible from ranked")
        .params(context.parameters())
        .query(
            (row, n) ->
                Map.of(
                    Denominator.RANKED, row.getLong("ranked"),
                    Denominator.ELIGIBLE, row.getLong("eligible")))
        .single();
  }
}
