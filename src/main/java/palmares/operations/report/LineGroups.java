package palmares.operations.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes one line of the rows of each place: a row for each change of the member's awards. */
final class LineGroups {
  private static final String CREDITS = "credits";

  private final String period;
  private final Consumer<FinalLine> line;
  private final Map<Award, Long> awards = new LinkedHashMap<>();
  private @Nullable Bare present;
  private long lines;

  LineGroups(String period, Consumer<FinalLine> line) {
    this.period = period;
    this.line = line;
  }

  private record Award(String rule, String currency) {}

  /** A line without its awards. */
  private record Bare(
      long place,
      @Nullable Long rank,
      String member,
      long points,
      long thenBy,
      @Nullable Instant reachedAt,
      @Nullable String loss,
      @Nullable String nickname,
      @Nullable String inviteCode) {}

  void add(ResultSet row) throws SQLException {
    if (present == null || present.place() != row.getLong("place")) {
      finish();
      present = bare(row);
    }
    String rule = row.getString("rule");
    if (rule != null) {
      awards.merge(
          new Award(rule, row.getString("currency")), row.getLong("credits"), Math::addExact);
    }
  }

  /** Finishes the last line; returns how many there were. */
  long end() {
    finish();
    return lines;
  }

  private void finish() {
    if (present != null) {
      line.accept(line(present));
      lines++;
    }
    awards.clear();
    present = null;
  }

  private FinalLine line(Bare bare) {
    var byRule = new LinkedHashMap<String, Long>();
    var byCurrency = new TreeMap<String, Long>();
    awards.forEach(
        (award, amount) -> {
          if (amount != 0) {
            byRule.merge(award.rule(), amount, Math::addExact);
            byCurrency.merge(award.currency(), amount, Math::addExact);
          }
        });
    return new FinalLine(
        period,
        bare.place(),
        bare.rank(),
        bare.member(),
        bare.points(),
        bare.thenBy(),
        bare.reachedAt(),
        byCurrency.getOrDefault(CREDITS, 0L),
        bare.loss(),
        bare.nickname(),
        bare.inviteCode(),
        others(byCurrency),
        byRule);
  }

  private static @Nullable String others(Map<String, Long> byCurrency) {
    var others = new ArrayList<String>();
    byCurrency.forEach(
        (currency, amount) -> {
          if (!currency.equals(CREDITS)) {
            others.add(amount + " " + currency);
          }
        });
    return others.isEmpty() ? null : String.join(", ", others);
  }

  private static Bare bare(ResultSet row) throws SQLException {
    OffsetDateTime reachedAt = row.getObject("reached_at", OffsetDateTime.class);
    return new Bare(
        row.getLong("place"),
        row.getObject("rank", Long.class),
        row.getString("member"),
        row.getLong("points"),
        row.getLong("then_by"),
        reachedAt == null ? null : reachedAt.toInstant(),
        row.getString("loss"),
        row.getString("nickname"),
        row.getString("invite_code"));
  }
}
