package palmares.operations.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Outcomes.Outcome;
import palmares.rules.payout.Sums;
import palmares.settlement.outcome.OutcomeTables;

/** Reads the final lines of one outcome, each with its awards, in order of place. */
@Component
class FinalLines {
  /**
   * A row for each line and award; the condition selects lines by member or place. A preview's
   * tables are not attached, so that the view {@code standing} would show nothing of them.
   */
  private static final String LINES =
      """
      select
        line.place, line.rank, line.member, line.points, line.then_by, line.reached_at,
        loss.kind as loss, member.nickname, member.invite_code, change.rule, change.currency,
        change.credits
      from (
        select place, rank::bigint as rank, member, points, coalesce(then_by, 0) as then_by,
          reached_at
        from {lines}
        where outcome = :outcome and place is not null and %s
        order by place
        limit :limit
      ) line
      left join loss
        on loss.period_id = (select period_id from revision where id = :outcome)
        and loss.points = line.points
        and loss.reached_at is not distinct from line.reached_at
      left join member on member.id = line.member
      left join {award_changes} change on change.member = line.member
      order by line.place
      """;

  private final JdbcClient jdbc;

  FinalLines(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Reads lines from a place on, one after the other.
   *
   * @param place the place of the first line, from 1
   * @param most how many lines at most; null for all
   * @return the number of lines
   */
  long each(Outcome outcome, long place, @Nullable Integer most, Consumer<FinalLine> line) {
    var groups = new LineGroups(outcome.period().value(), line);
    var select =
        lines(outcome, "place >= :place", most)
            .param("place", place)
            .withFetchSize(OwnConnection.ROWS_PER_FETCH);
    try (var rows = select.query(LineGroups.Row.class).stream()) {
      rows.forEach(groups::add);
    }
    return groups.end();
  }

  /** Reads lines from a place on, into a list. */
  List<FinalLine> list(Outcome outcome, long place, int most) {
    var lines = new ArrayList<FinalLine>();
    each(outcome, place, most, lines::add);
    return lines;
  }

  /** The lines of these members in order of place; none for members without one. */
  List<FinalLine> find(Outcome outcome, List<String> members) {
    return read(
        outcome, lines(outcome, "member = any(:members::text[])", null).param("members", members));
  }

  /** The lines at these places, in order. */
  List<FinalLine> at(Outcome outcome, List<Long> places) {
    return read(
        outcome, lines(outcome, "place = any(:places::bigint[])", null).param("places", places));
  }

  private static List<FinalLine> read(Outcome outcome, JdbcClient.StatementSpec statement) {
    var lines = new ArrayList<FinalLine>();
    var groups = new LineGroups(outcome.period().value(), lines::add);
    statement.query(LineGroups.Row.class).list().forEach(groups::add);
    groups.end();
    return lines;
  }

  private JdbcClient.StatementSpec lines(
      Outcome outcome, String condition, @Nullable Integer limit) {
    return jdbc.sql(OutcomeTables.of(outcome.id(), outcome.parts()).in(LINES.formatted(condition)))
        .param("outcome", outcome.id())
        .param("parts", outcome.parts())
        .param("limit", limit);
  }

  /** A member's line and its neighbours; empty if the member has none. */
  List<FinalLine> around(Outcome outcome, String member, int neighbours) {
    return jdbc.sql("select place from standing where outcome = :outcome and member = :member")
        .param("outcome", outcome.id())
        .param("member", member)
        .query(Long.class)
        .optional()
        .map(
            place -> {
              long first = Math.max(1, place - neighbours);
              return list(outcome, first, (int) (place + neighbours - first + 1));
            })
        .orElse(List.of());
  }

  /** The number of lines, which is the place of the last one. */
  long count(Outcome outcome) {
    return jdbc.sql(
            "select place from standing where outcome = :outcome order by place desc limit 1")
        .param("outcome", outcome.id())
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /**
   * The place of the first line with this rank, a worse one or none; one past the last line if
   * there is no such line. Ranks grow with places, so a binary search finds it.
   */
  long placeOf(Outcome outcome, long rank) {
    return jdbc.sql(
            """
            with recursive narrow (low, high) as (
              select 1::bigint, cast(:lines as bigint) + 1
              union all
              select
                case when candidate.rank < :rank then middle + 1 else low end,
                case when candidate.rank < :rank then high else middle end
              from narrow
              cross join lateral (select (low + high) / 2 as middle) half
              cross join lateral (
                select rank from standing where outcome = :outcome and place = middle
              ) candidate
              where low < high
            )
            select low from narrow where low = high
            """)
        .param("lines", count(outcome))
        .param("rank", rank)
        .param("outcome", outcome.id())
        .query(Long.class)
        .single();
  }

  /** Joins the rows of each place, one for each award, into one line. */
  private static final class LineGroups {

    private final String period;
    private final Consumer<FinalLine> line;
    private final Map<Award, Long> awards = new LinkedHashMap<>();
    private @Nullable Bare present;
    private long lines;

    LineGroups(String period, Consumer<FinalLine> line) {
      this.period = period;
      this.line = line;
    }

    /** One of the rows of a line, which has one for each award. */
    private record Row(Bare line, @Nullable Award award, @Nullable Long credits) {}

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

    void add(Row row) {
      if (present == null || present.place() != row.line().place()) {
        finish();
        present = row.line();
      }
      if (row.award() != null && row.credits() != null) {
        awards.merge(row.award(), row.credits(), Math::addExact);
      }
    }

    /** Finishes the last line, and returns the number of lines. */
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
          bare.loss(),
          bare.nickname(),
          bare.inviteCode(),
          new Sums(byCurrency),
          byRule);
    }
  }
}
