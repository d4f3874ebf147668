package palmares.settlement.reward;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.rules.board.Tier;
import palmares.rules.board.Tier.Cut;

/** Computes which members of a tier move up or down, by the places of its ranked members. */
@Component
class TierMoves {
  private static final String WRITE = SeatSql.read("write-tier-moves.sql");

  private final JdbcClient jdbc;
  private final Periods periods;
  private final BoardDefinitions definitions;

  TierMoves(JdbcClient jdbc, Periods periods, BoardDefinitions definitions) {
    this.jdbc = jdbc;
    this.periods = periods;
    this.definitions = definitions;
  }

  /** Writes who moves; nothing if the board is not a tier. */
  void write(RevisionContext context, long ranked) {
    Tier tier = context.board().tier();
    if (tier == null) {
      return;
    }
    jdbc.sql(WRITE.replace("{lines}", context.lines()))
        .params(context.parameters())
        .param("least", context.board().scale().scoring().takesValues() ? 0 : 1)
        .param("promoted", count(tier.promote(), ranked))
        .param("relegated", count(tier.relegate(), ranked))
        .param("family", tier.family())
        .param("tier", tier.number())
        .param("above", neighbour(context, tier.number() - 1))
        .param("below", neighbour(context, tier.number() + 1))
        .update();
  }

  private static long count(@Nullable Cut cut, long ranked) {
    return cut == null ? 0 : cut.of(ranked);
  }

  /** Returns the board of a tier in the same period; null if none had a period then. */
  private @Nullable String neighbour(RevisionContext context, int number) {
    Tier own = context.board().tier();
    return jdbc
        .sql(
            """
            select other.id
            from period
            join period other using (starts_at, ends_at)
            join revision
              on revision.period_id = period.id and revision.revision = :revision
            where period.id = :period
              and other.id <> period.id
              and other.opened_at <= revision.prepared_at
            order by other.board
            """)
        .params(context.parameters())
        .query(PeriodId.class)
        .list()
        .stream()
        .map(periods::get)
        .filter(other -> isTier(definitions.of(other).tier(), own, number))
        .map(Period::board)
        .findFirst()
        .map(board -> board.value())
        .orElse(null);
  }

  private static boolean isTier(@Nullable Tier other, @Nullable Tier own, int number) {
    return other != null
        && own != null
        && other.family().equals(own.family())
        && other.number() == number;
  }
}
