package palmares.operations.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Outcomes.Outcome;

/** Reads the final lines of one outcome, each with its awards, in order of place. */
@Component
class FinalLines {
  /** Rows that are held in memory at a time. */
  private static final int FETCH = 5_000;

  /** A row for each line and award: the lines of a few members or places, or all of them. */
  private static final String LINES =
      """
      select
        line.place, line.rank, line.member, line.points, line.then_by, line.reached_at,
        loss.kind as loss, member.nickname, member.invite_code, change.rule, change.currency,
        change.credits
      from (
        select * from standing where outcome = :outcome and %s order by place limit :limit
      ) line
      left join loss
        on loss.period_id = line.period_id
        and loss.points = line.points
        and loss.reached_at is not distinct from line.reached_at
      left join member on member.id = line.member
      left join award_changes(:parts::int[]) change on change.member = line.member
      order by line.place
      """;

  private final JdbcClient jdbc;

  FinalLines(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Reads lines from a place on, one after the other.
   *
   * @param place of the first line, from 1
   * @param most how many lines at most; null for all
   * @return how many there were
   */
  long each(Outcome outcome, long place, @Nullable Integer most, Consumer<FinalLine> line) {
    var groups = new LineGroups(outcome.period().value(), line);
    lines(outcome, "place >= :place", most)
        .param("place", place)
        .withFetchSize(FETCH)
        .query(
            row -> {
              groups.add(row);
            });
    return groups.end();
  }

  /** As {@link #each}, in a list. */
  List<FinalLine> list(Outcome outcome, long place, int most) {
    var lines = new ArrayList<FinalLine>();
    each(outcome, place, most, lines::add);
    return lines;
  }

  /** The lines of those of the members who have one, in order of place. */
  List<FinalLine> find(Outcome outcome, List<String> members) {
    var lines = new ArrayList<FinalLine>();
    var groups = new LineGroups(outcome.period().value(), lines::add);
    lines(outcome, "member = any(:members::text[])", null)
        .param("members", members.toArray(String[]::new))
        .query(
            row -> {
              groups.add(row);
            });
    groups.end();
    return lines;
  }

  private JdbcClient.StatementSpec lines(
      Outcome outcome, String condition, @Nullable Integer limit) {
    return jdbc.sql(LINES.formatted(condition))
        .param("outcome", outcome.id())
        .param("parts", outcome.parts().toArray(Integer[]::new))
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

  /** How many lines there are: the place of the last one. */
  long count(Outcome outcome) {
    return jdbc.sql(
            "select place from standing where outcome = :outcome order by place desc limit 1")
        .param("outcome", outcome.id())
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /**
   * The place of the first line of that rank, a worse one or none, found by halving: ranks grow
   * with places. One place past the last line if there is none.
   */
  long placeOf(Outcome outcome, long rank) {
    return jdbc.sql(
            """
            with recursive narrow (low, high) as (
              select 1::bigint, cast(:lines as bigint) + 1
              union all
              select
                case when there.rank < :rank then middle + 1 else low end,
                case when there.rank < :rank then high else middle end
              from narrow
              cross join lateral (select (low + high) / 2 as middle) half
              cross join lateral (
                select rank from standing where outcome = :outcome and place = middle
              ) there
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
}
