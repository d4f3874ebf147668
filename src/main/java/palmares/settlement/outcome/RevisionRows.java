package palmares.settlement.outcome;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.period.PeriodId;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision.Decision;
import palmares.settlement.outcome.Revision.Verdict;

/** Reads rows of the table. */
final class RevisionRows {
  static final String COLUMNS =
      """
      select
        id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, two_person,
        held_for, release_at, verdict, decided_by, decided_at, verdict_reason, ties, posted_at
      from revision
      """;

  private RevisionRows() {}

  static Revision row(ResultSet row, int n) throws SQLException {
    String verdict = row.getString("verdict");
    Array heldFor = row.getArray("held_for");
    return new Revision(
        row.getInt("id"),
        new PeriodId(row.getLong("period_id")),
        row.getInt("revision"),
        row.getObject("base", Integer.class),
        row.getString("definition_hash"),
        OverpaymentPolicy.valueOf(row.getString("owed").toUpperCase(Locale.ROOT).replace('-', '_')),
        row.getString("prepared_by"),
        row.getObject("prepared_at", OffsetDateTime.class).toInstant(),
        row.getBoolean("two_person"),
        List.of((String[]) heldFor.getArray()),
        instant(row, "release_at"),
        ties(row.getString("ties")),
        verdict == null
            ? null
            : new Decision(
                Verdict.valueOf(verdict.toUpperCase(Locale.ROOT)),
                row.getString("decided_by"),
                row.getObject("decided_at", OffsetDateTime.class).toInstant(),
                row.getString("verdict_reason"),
                ties(row.getString("ties"))),
        instant(row, "posted_at"));
  }

  private static @Nullable Ties ties(@Nullable String word) {
    return word == null ? null : Ties.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
