package palmares.period.exclusion;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.period.exclusion.Exclusion.Lift;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** How exclusions stand in their table. */
final class ExclusionRows {
  static final String SELECT =
      """
      select
        id, member, board, level, starts_at, ends_at, reason, made_by, made_at, lifted_by,
        lifted_at, lift_reason
      from exclusion
      """;

  private ExclusionRows() {}

  static Map<String, @Nullable Object> parameters(Terms terms) {
    var parameters = new LinkedHashMap<String, @Nullable Object>();
    parameters.put("member", terms.member().value());
    parameters.put("board", terms.board() == null ? null : terms.board().value());
    parameters.put("level", terms.level().word());
    parameters.put("starts", terms.startsAt() == null ? null : utc(terms.startsAt()));
    parameters.put("ends", terms.endsAt() == null ? null : utc(terms.endsAt()));
    return parameters;
  }

  static Exclusion read(ResultSet row, int n) throws SQLException {
    String board = row.getString("board");
    Instant lifted = instant(row, "lifted_at");
    return new Exclusion(
        row.getLong("id"),
        new Terms(
            new MemberId(row.getString("member")),
            ExclusionLevel.of(row.getString("level")),
            board == null ? null : new BoardId(board),
            instant(row, "starts_at"),
            instant(row, "ends_at")),
        row.getString("reason"),
        row.getString("made_by"),
        row.getObject("made_at", OffsetDateTime.class).toInstant(),
        lifted == null
            ? null
            : new Lift(row.getString("lifted_by"), lifted, row.getString("lift_reason")));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
