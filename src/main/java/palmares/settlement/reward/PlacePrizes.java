package palmares.settlement.reward;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
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
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.settlement.reward.SeatSql.Due;

/** Builds the SQL for rules that pay by place: by rank, or by top percent. */
@Component
class PlacePrizes {
  private static final String SHARED = SeatSql.read("shared-prizes.sql");

  private static final String OWN = SeatSql.read("own-prizes.sql");

  private static final String HELD = SeatSql.read("held-ties.sql");

  private final JdbcClient jdbc;

  PlacePrizes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A rule's prizes by place.
   *
   * @param column the column of {@link SeatSql#seats} that has the places
   */
  record Places(PlaceRule rule, String column, List<Band> bands) {
    private Map<String, Object> parameters() {
      var parameters = new HashMap<>(PrizeBands.parameters(bands));
      parameters.put("toFirst", rule.remainder().isToFirst());
      return parameters;
    }
  }

  Places places(RankPrizes rule) {
    return new Places(rule, "rank", rule.bands());
  }

  Places places(RevisionContext context, TopPercent rule) {
    long of = requireNonNull(denominators(context).get(rule.of()));
    return new Places(rule, "position", PrizeBands.of(rule, of));
  }

  Due due(RevisionContext context, Places places, @Nullable Ties decided) {
    Ties ties = places.rule().ties();
    Ties way = ties == Ties.HOLD ? decided == null ? Ties.SHARE : decided : ties;
    String due =
        switch (way) {
          case EACH -> OWN.replace("{place}", places.column());
          case ORDER -> OWN.replace("{place}", "seat");
          case SHARE, HOLD -> SHARED;
        };
    return new Due(SeatSql.seats(context) + due, places.parameters());
  }

  /** Finds the ties that the rule leaves to a person and whose prizes depend on the decision. */
  List<HeldTie> heldTies(RevisionContext context, Places places) {
    return jdbc.sql(SeatSql.seats(context) + SHARED + HELD.replace("{place}", places.column()))
        .params(context.parameters())
        .params(places.parameters())
        .param("name", places.rule().name())
        .param("currency", places.rule().currency())
        .query(HeldTie.class)
        .list();
  }

  Map<Denominator, Long> denominators(RevisionContext context) {
    return jdbc.sql(
            SeatSql.lines(context)
                + "select count(*) as ranked, count(*) filter (where may) as eligible from ranked")
        .params(context.parameters())
        .query(Members.class)
        .single()
        .denominators();
  }

  private record Members(long ranked, long eligible) {
    Map<Denominator, Long> denominators() {
      var denominators = new EnumMap<Denominator, Long>(Denominator.class);
      for (Denominator of : Denominator.values()) {
        denominators.put(of, of.isOfEligible() ? eligible : ranked);
      }
      return denominators;
    }
  }
}
