package palmares.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.Action;
import palmares.board.Board;
import palmares.board.ThenBy;
import palmares.explain.Reasons.Had;
import palmares.explain.Story.Ending;
import palmares.explain.Story.Prize;
import palmares.explain.Story.Transfer;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.PerAction;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.report.RevisionLine;
import palmares.reward.Awards;

/** How a member stands in each revision of a period, and what it was awarded and paid. */
@Component
class EndingRows {
  private final JdbcClient jdbc;
  private final Definitions definitions;
  private final Awards awards;

  EndingRows(JdbcClient jdbc, Definitions definitions, Awards awards) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.awards = awards;
  }

  private record Line(
      long place,
      @Nullable Long rank,
      long points,
      long thenBy,
      @Nullable OffsetDateTime reachedAt) {}

  Ending of(Period period, RevisionLine revision, String member) {
    int number = revision.revision();
    Board rules = definitions.of(period.board(), hash(period, number));
    Optional<Line> line = line(period, number, member);
    String excluded = excluded(period, number, member);
    List<Prize> prizes =
        line.map(there -> prizes(period, number, rules, member, there)).orElse(List.of());
    return new Ending(
        number,
        revision.status(),
        said(revision),
        line.map(Line::place).orElse(null),
        line.map(Line::rank).orElse(null),
        line.map(Line::points).orElse(null),
        line.map(there -> second(rules, there)).orElse(null),
        line.map(Line::reachedAt).map(OffsetDateTime::toInstant).orElse(null),
        excluded,
        corrections(period, number, member),
        prizes,
        prizes.isEmpty() ? nothing(rules, line, excluded) : null);
  }

  private static List<String> said(RevisionLine revision) {
    var said = new ArrayList<String>();
    if (revision.reason() != null) {
      said.add(
          "prepared by %s at %s: %s"
              .formatted(revision.preparedBy(), revision.preparedAt(), revision.reason()));
    }
    if (!revision.heldFor().isEmpty()) {
      said.add("held for: " + revision.heldFor());
    }
    if (revision.decidedBy() != null
        && (revision.base() != null || !revision.heldFor().isEmpty())) {
      said.add(
          "decided on by %s at %s: %s"
              .formatted(revision.decidedBy(), revision.decidedAt(), revision.verdictReason()));
    }
    return said;
  }

  private static @Nullable String second(Board rules, Line line) {
    ThenBy second = rules.scale().thenBy();
    return second == null ? null : "%s %s".formatted(Reasons.number(line.thenBy()), second.name());
  }

  private static String nothing(Board rules, Optional<Line> line, @Nullable String excluded) {
    if (line.isEmpty()) {
      return excluded == null ? "it has no line" : "it is not on the board";
    }
    if (excluded != null) {
      return "whoever is excluded gets no prize";
    }
    List<RewardRule> all = rules.payout().rules();
    if (all.isEmpty()) {
      return "the board pays nothing";
    }
    Long least = rules.payout().minPoints();
    if (least != null && !rules.scale().scoring().fewestWin() && line.get().points() < least) {
      return "prizes are for %s points or more".formatted(Reasons.number(least));
    }
    return "none of the rules gives anything for this: %s"
        .formatted(String.join(", ", all.stream().map(RewardRule::name).toList()));
  }

  private String hash(Period period, int revision) {
    return jdbc.sql(
            "select definition_hash from revision where period_id = :period and revision = :revision")
        .param("period", period.id().value())
        .param("revision", revision)
        .query(String.class)
        .single();
  }

  private Optional<Line> line(Period period, int revision, String member) {
    return mine(
            "select place, rank, points, then_by, reached_at from standing",
            period,
            revision,
            member)
        .query(
            (row, n) ->
                new Line(
                    row.getLong("place"),
                    row.getObject("rank", Long.class),
                    row.getLong("points"),
                    row.getLong("then_by"),
                    row.getObject("reached_at", OffsetDateTime.class)))
        .optional();
  }

  private @Nullable String excluded(Period period, int revision, String member) {
    return mine("select level, reason, made_by from frozen_exclusion", period, revision, member)
        .query(
            (row, n) ->
                "%s, by %s: %s".formatted(row.getString(1), row.getString(3), row.getString(2)))
        .optional()
        .orElse(null);
  }

  private List<String> corrections(Period period, int revision, String member) {
    return mine(
            "select kind, event_id, points, reason, made_by from correction",
            period,
            revision,
            member)
        .query(
            (row, n) ->
                "%s%s, %+d points, by %s: %s"
                    .formatted(
                        row.getString("kind").equals("points")
                            ? "put right by hand"
                            : "late event ",
                        row.getString("event_id") == null ? "" : row.getString("event_id"),
                        row.getLong("points"),
                        row.getString("made_by"),
                        row.getString("reason")))
        .list();
  }

  private List<Prize> prizes(Period period, int revision, Board rules, String member, Line line) {
    List<Prize> bare =
        mine("select rule, credits, currency from award", period, revision, member)
            .query((row, n) -> new Prize(row.getString(1), row.getLong(2), row.getString(3), ""))
            .list();
    if (bare.isEmpty()) {
      return bare;
    }
    var reasons = new Reasons(rules, awards.denominators(period, revision, rules));
    long tied = tied(period, revision, line);
    return bare.stream()
        .map(
            prize -> {
              long times = times(period, revision, rules, member, prize.rule());
              String why =
                  reasons.why(
                      prize.rule(),
                      prize.credits(),
                      new Had(line.rank(), line.points(), tied, times));
              return new Prize(prize.rule(), prize.credits(), prize.currency(), why);
            })
        .toList();
  }

  private long tied(Period period, int revision, Line line) {
    return jdbc.sql(
            """
            select count(*) from standing
            where period_id = :period
              and revision = :revision
              and points = :points
              and then_by = :then_by
              and rank is not null
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .param("points", line.points())
        .param("then_by", line.thenBy())
        .query(Long.class)
        .single();
  }

  /** How often the member did a rule's action; 0 for rules without one. */
  private long times(Period period, int revision, Board rules, String member, String rule) {
    for (RewardRule one : rules.payout().rules()) {
      if (one.name().equals(rule) && one instanceof PerAction each) {
        Action action = Objects.requireNonNull(rules.actions().get(each.action()), rule);
        return points(period, revision, member, action) / action.points();
      }
    }
    return 0;
  }

  private long points(Period period, int revision, String member, Action action) {
    return mine(
            """
            select coalesce(sum(points), 0) from (
              select * from counted_event where action = :action) counted
            """,
            period,
            revision,
            member)
        .param("action", action.name())
        .query(Long.class)
        .single();
  }

  /** What came of the awards in the ledger. */
  List<Transfer> transfers(Period period, String member) {
    return jdbc.sql(
            """
            select posted_at, revision, purpose, rule, amount, currency, other_kind, other_account,
              kind, account
            from account_statement
            where board = :board and period = :period and member = :member and amount > 0
            order by transfer_id
            """)
        .param("board", period.board().value())
        .param("period", period.name().value())
        .param("member", member)
        .query(EndingRows::transfer)
        .list();
  }

  private static Transfer transfer(ResultSet row, int n) throws SQLException {
    return new Transfer(
        row.getObject("posted_at", OffsetDateTime.class).toInstant(),
        row.getInt("revision"),
        row.getString("purpose"),
        row.getString("rule"),
        row.getLong("amount"),
        row.getString("currency"),
        row.getString("other_kind") + " " + row.getString("other_account"),
        row.getString("kind") + " " + row.getString("account"));
  }

  private JdbcClient.StatementSpec mine(String select, Period period, int revision, String member) {
    return jdbc.sql(
            select + " where period_id = :period and revision = :revision and member = :member")
        .param("period", period.id().value())
        .param("revision", revision)
        .param("member", member);
  }
}
