package palmares.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.report.Outcomes.Outcome;

/** The final lines of one outcome, each with its awards, read page by page in order of place. */
@Component
class FinalLines {
  /** Lines that are read together with their awards. */
  private static final int PAGE = 1_000;

  private static final String CREDITS = "credits";

  private static final String LINES =
      """
      select
        line.place, line.rank, line.member, line.points, line.then_by, line.reached_at,
        loss.kind as loss, member.nickname, member.invite_code
      from (
        select * from standing where outcome = :outcome and %s order by place limit :limit
      ) line
      left join loss
        on loss.period_id = line.period_id
        and loss.points = line.points
        and loss.reached_at is not distinct from line.reached_at
      left join member on member.id = line.member
      order by line.place
      """;

  private final JdbcClient jdbc;

  FinalLines(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

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

  /** Sums of a member's awards. */
  private static final class Won {
    private final Map<String, Long> byRule = new LinkedHashMap<>();
    private final Map<String, Long> byCurrency = new TreeMap<>();

    void add(String rule, String currency, long amount) {
      byRule.merge(rule, amount, Long::sum);
      byCurrency.merge(currency, amount, Long::sum);
    }

    long credits() {
      return byCurrency.getOrDefault(CREDITS, 0L);
    }

    @Nullable String others() {
      var others = new ArrayList<String>();
      byCurrency.forEach(
          (currency, amount) -> {
            if (!currency.equals(CREDITS)) {
              others.add(amount + " " + currency);
            }
          });
      return others.isEmpty() ? null : String.join(", ", others);
    }
  }

  /**
   * Reads lines from a place on.
   *
   * @param place of the first line, from 1
   * @param most how many lines at most
   * @return how many there were
   */
  long each(Outcome outcome, long place, long most, Consumer<FinalLine> line) {
    long read = 0;
    long next = place;
    while (read < most) {
      int limit = (int) Math.min(PAGE, most - read);
      List<FinalLine> page = page(outcome, next, limit);
      page.forEach(line);
      read += page.size();
      if (page.size() < limit) {
        return read;
      }
      next = page.get(limit - 1).place() + 1;
    }
    return read;
  }

  /** As {@link #each}, in a list. */
  List<FinalLine> list(Outcome outcome, long place, long most) {
    var lines = new ArrayList<FinalLine>();
    each(outcome, place, most, lines::add);
    return lines;
  }

  private List<FinalLine> page(Outcome outcome, long place, int limit) {
    return withAwards(
        outcome,
        jdbc.sql(LINES.formatted("place >= :place"))
            .param("outcome", outcome.id())
            .param("place", place)
            .param("limit", limit)
            .query(FinalLines::bare)
            .list());
  }

  /** The lines of those of the members who have one, in order of place. */
  List<FinalLine> find(Outcome outcome, List<String> members) {
    return withAwards(
        outcome,
        jdbc.sql(LINES.formatted("member = any(:members::text[])"))
            .param("outcome", outcome.id())
            .param("members", members.toArray(String[]::new))
            .param("limit", null)
            .query(FinalLines::bare)
            .list());
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
              return list(outcome, first, place + neighbours - first + 1);
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

  private List<FinalLine> withAwards(Outcome outcome, List<Bare> lines) {
    Map<String, Won> won = won(outcome, lines.stream().map(Bare::member).toArray(String[]::new));
    var none = new Won();
    return lines.stream()
        .map(line -> line(outcome, line, won.getOrDefault(line.member(), none)))
        .toList();
  }

  private Map<String, Won> won(Outcome outcome, String[] members) {
    var won = new LinkedHashMap<String, Won>();
    jdbc.sql(
            """
            select member, rule, currency, sum(credits) as credits
            from award_change
            where outcome = any(:parts::int[]) and member = any(:members::text[])
            group by member, rule, currency
            having sum(credits) <> 0
            """)
        .param("parts", outcome.partIds())
        .param("members", members)
        .query(
            row -> {
              won.computeIfAbsent(row.getString("member"), member -> new Won())
                  .add(row.getString("rule"), row.getString("currency"), row.getLong("credits"));
            });
    return won;
  }

  private static Bare bare(ResultSet row, int n) throws SQLException {
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

  private static FinalLine line(Outcome outcome, Bare line, Won won) {
    return new FinalLine(
        outcome.period().value(),
        line.place(),
        line.rank(),
        line.member(),
        line.points(),
        line.thenBy(),
        line.reachedAt(),
        won.credits(),
        line.loss(),
        line.nickname(),
        line.inviteCode(),
        won.others(),
        won.byRule);
  }
}
