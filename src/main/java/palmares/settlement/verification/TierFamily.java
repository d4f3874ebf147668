package palmares.settlement.verification;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Tier;
import palmares.rules.board.Tier.Cut;

/** Finds a board's tier and the other tiers of its family, as parameters of checks. */
@Component
class TierFamily {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;

  TierFamily(JdbcClient jdbc, BoardDefinitions definitions) {
    this.jdbc = jdbc;
    this.definitions = definitions;
  }

  /** A board of the family that had a period at the same time, and its tier then. */
  private record FamilyBoard(String board, String hash, int tier) {}

  Map<String, Object> parameters(Board board, Collection<Long> periods) {
    Tier tier = board.tier();
    var parameters = new HashMap<String, Object>();
    parameters.put("family", tier == null ? "" : tier.family());
    parameters.put("tier", tier == null ? 1 : tier.number());
    parameters.put("leastPromoted", board.scale().scoring().takesValues() ? 0 : 1);
    put(parameters, "promote", tier == null ? null : tier.promote());
    put(parameters, "relegate", tier == null ? null : tier.relegate());
    List<FamilyBoard> boards = tier == null ? List.of() : boards(tier, periods);
    parameters.put("tierBoards", boards.stream().map(FamilyBoard::board).toList());
    parameters.put("tierHashes", boards.stream().map(FamilyBoard::hash).toList());
    parameters.put("tierNumbers", boards.stream().map(FamilyBoard::tier).toList());
    return parameters;
  }

  private static void put(Map<String, Object> parameters, String name, @Nullable Cut cut) {
    parameters.put(name, cut == null ? BigDecimal.ZERO : cut.amount());
    parameters.put(name + "Percent", cut != null && cut.percent());
  }

  private List<FamilyBoard> boards(Tier tier, Collection<Long> periods) {
    return jdbc
        .sql(
            """
            select distinct other.board, other.definition_hash
            from period own
            join period other using (starts_at, ends_at)
            where own.id = any(:ids) and other.id <> own.id
            """)
        .param("ids", periods)
        .query(Neighbour.class)
        .list()
        .stream()
        .map(other -> board(tier, other.board(), other.definitionHash()))
        .filter(Objects::nonNull)
        .toList();
  }

  private record Neighbour(BoardId board, String definitionHash) {}

  /** Null if it is of another family. */
  private @Nullable FamilyBoard board(Tier own, BoardId board, String hash) {
    try {
      Tier other = definitions.of(board, hash).tier();
      return other != null && other.family().equals(own.family())
          ? new FamilyBoard(board.value(), hash, other.number())
          : null;
    } catch (UnreadableDefinition e) {
      return null; // Is a finding when its own periods are verified.
    }
  }
}
