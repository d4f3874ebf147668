package palmares.settlement.verification;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.UnreadableDefinition;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Tier;
import palmares.rules.board.Tier.Cut;

/** A board's family as {@link TierSql} asks for it: its own tier, and which boards were others. */
@Component
class TierFamily {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;

  TierFamily(JdbcClient jdbc, BoardDefinitions definitions) {
    this.jdbc = jdbc;
    this.definitions = definitions;
  }

  /** A board that had periods at the same times, and the tier that it then was. */
  private record Rung(String board, String hash, int tier) {}

  Map<String, Object> parameters(Board board, Long[] periods) {
    Tier tier = board.tier();
    var parameters = new HashMap<String, Object>();
    parameters.put("family", tier == null ? "" : tier.family());
    parameters.put("tier", tier == null ? 1 : tier.number());
    parameters.put("leastPromoted", board.scale().scoring().takesValues() ? 0 : 1);
    put(parameters, "promote", tier == null ? null : tier.promote());
    put(parameters, "relegate", tier == null ? null : tier.relegate());
    List<Rung> rungs = tier == null ? List.of() : rungs(tier, periods);
    parameters.put("tierBoards", rungs.stream().map(Rung::board).toArray(String[]::new));
    parameters.put("tierHashes", rungs.stream().map(Rung::hash).toArray(String[]::new));
    parameters.put("tierNumbers", rungs.stream().map(Rung::tier).toArray(Integer[]::new));
    return parameters;
  }

  private static void put(Map<String, Object> parameters, String name, @Nullable Cut cut) {
    parameters.put(name, cut == null ? BigDecimal.ZERO : cut.amount());
    parameters.put(name + "Percent", cut != null && cut.percent());
  }

  private List<Rung> rungs(Tier tier, Long[] periods) {
    var rungs = new ArrayList<Rung>();
    jdbc.sql(
            """
            select distinct other.board, other.definition_hash
            from period own
            join period other using (starts_at, ends_at)
            where own.id = any(:ids) and other.id <> own.id
            """)
        .param("ids", periods)
        .query(
            row -> {
              var rung = rung(tier, row.getString("board"), row.getString("definition_hash"));
              if (rung != null) {
                rungs.add(rung);
              }
            });
    return rungs;
  }

  /** Null if it is of another family. */
  private @Nullable Rung rung(Tier own, String board, String hash) {
    try {
      Tier other = definitions.of(new BoardId(board), hash).tier();
      return other != null && other.family().equals(own.family())
          ? new Rung(board, hash, other.number())
          : null;
    } catch (UnreadableDefinition e) {
      return null; // A finding of its own, where its own periods are looked at.
    }
  }
}
