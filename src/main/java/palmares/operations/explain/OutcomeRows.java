package palmares.operations.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.explain.EqualLines.Level;
import palmares.operations.explain.Explanation.Prize;
import palmares.operations.explain.Explanation.Standing;
import palmares.operations.explain.Explanation.Transfer;
import palmares.operations.explain.Reasons.Had;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.payout.RewardRule;
import palmares.settlement.reward.Awards;

/** Reads a member's line, awards and transfers in the revisions of a period. */
@Component
class OutcomeRows {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;
  private final Awards awards;
  private final EqualLines equals;

  OutcomeRows(JdbcClient jdbc, BoardDefinitions definitions, Awards awards, EqualLines equals) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.awards = awards;
    this.equals = equals;
  }

  record Line(
      long place, @Nullable Long rank, long points, long thenBy, @Nullable Instant reachedAt) {}

  Standing of(Period period, RevisionSummary revision, String member) {
    int number = revision.revision();
    Board rules = definitions.of(period.board(), hash(period, number));
    Optional<Line> line = line(revision.outcome(), member);
    String excluded = excluded(period, number, member);
    List<Prize> won =
        line.map(there -> prizes(period, revision, rules, member, there)).orElse(List.of());
    return new Standing(
        number,
        revision.status(),
        said(revision),
        line.map(Line::place).orElse(null),
        line.map(Line::rank).orElse(null),
        line.map(Line::points).orElse(null),
        line.map(there -> second(rules, there)).orElse(null),
        line.map(Line::reachedAt).orElse(null),
        excluded,
        corrections(period, number, member),
        won,
        won.isEmpty() ? nothing(rules, line, excluded) : null);
  }

  private static List<String> said(RevisionSummary revision) {
    var said = new ArrayList<String>();
    if (revision.reason() != null) {
      said.add(
          "prepared by %s at %s: %s"
              .formatted(revision.preparedBy(), revision.preparedAt(), revision.reason()));
    }
    if (!revision.heldFor().isEmpty()) {
      said.add("held for: " + Texts.englishList(revision.heldFor()));
    }
    if (revision.decidedBy() != null
        && (revision.base() != null || !revision.heldFor().isEmpty())) {
      said.add(
          "decided by %s at %s: %s"
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
      return excluded == null ? "the member has no line" : "the member is not on the board";
    }
    if (excluded != null) {
      return "excluded members get no prize";
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
            """
            select definition_hash from revision
            where period_id = :period and revision = :revision
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .query(String.class)
        .single();
  }

  private Optional<Line> line(int outcome, String member) {
    return jdbc.sql(
            """
            select place, rank, points, then_by, reached_at
            from standing
            where outcome = :outcome and member = :member
            """)
        .param("outcome", outcome)
        .param("member", member)
        .query(Line.class)
        .optional();
  }

  private @Nullable String excluded(Period period, int revision, String member) {
    return ofMember("select level, reason, made_by from frozen_exclusion", period, revision, member)
        .query(
            (row, n) ->
                "%s, by %s: %s".formatted(row.getString(1), row.getString(3), row.getString(2)))
        .optional()
        .orElse(null);
  }

  private List<String> corrections(Period period, int revision, String member) {
    return ofMember(
            "select kind, event_id, points, reason, made_by from correction",
            period,
            revision,
            member)
        .query(
            (row, n) ->
                "%s%s, %+d points, by %s: %s"
                    .formatted(
                        row.getString("kind").equals("points")
                            ? "corrected by hand"
                            : "late event ",
                        row.getString("event_id") == null ? "" : row.getString("event_id"),
                        row.getLong("points"),
                        row.getString("made_by"),
                        row.getString("reason")))
        .list();
  }

  /** The transfers of the member's awards in these revisions, in the order of their posting. */
  List<Transfer> transfers(List<RevisionSummary> revisions, String member) {
    if (revisions.isEmpty()) {
      return List.of(); // An empty array would prune no partition.
    }
    return jdbc.sql(
            """
            select posted_at as at, revision, purpose, rule, amount, currency,
              other_kind || ' ' || other_account as from, kind || ' ' || account as to
            from account_statement
            where outcome = any(:outcomes::int[]) and member = :member and amount > 0
            order by revision, rule_number, purpose_number
            """)
        .param("outcomes", revisions.stream().map(RevisionSummary::outcome).toArray(Integer[]::new))
        .param("member", member)
        .query(Transfer.class)
        .list();
  }

  private JdbcClient.StatementSpec ofMember(
      String select, Period period, int revision, String member) {
    return jdbc.sql(
            select + " where period_id = :period and revision = :revision and member = :member")
        .param("period", period.id().value())
        .param("revision", revision)
        .param("member", member);
  }

  private List<Prize> prizes(
      Period period, RevisionSummary of, Board rules, String member, Line line) {
    List<Prize> bare = bare(of.outcome(), member);
    if (bare.isEmpty()) {
      return bare;
    }
    int revision = of.revision();
    var reasons = new Reasons(rules, awards.denominators(period, revision, rules));
    long tied = equals.ranked(of.outcome(), new Level(rules.scale(), line.points(), line.thenBy()));
    var had =
        new Had(
            line.rank(),
            line.points(),
            tied,
            action -> times(period, revision, rules, member, action));
    return bare.stream()
        .map(
            prize -> {
              String why = reasons.why(prize.rule(), prize.credits(), had);
              return new Prize(prize.rule(), prize.credits(), prize.currency(), why);
            })
        .toList();
  }

  /** The awards without their reasons: the changes of all outcomes that add up to them. */
  private List<Prize> bare(int outcome, String member) {
    Integer[] parts =
        jdbc.sql("select part from award_part where outcome = :outcome")
            .param("outcome", outcome)
            .query(Integer.class)
            .list()
            .toArray(Integer[]::new);
    return jdbc.sql(
            """
            select rule, sum(credits), currency
            from award_changes(:parts::int[])
            where member = :member
            group by rule, currency
            having sum(credits) <> 0
            """)
        .param("parts", parts)
        .param("member", member)
        .query((row, n) -> new Prize(row.getString(1), row.getLong(2), row.getString(3), ""))
        .list();
  }

  /** How often the member did an action. */
  private long times(Period period, int revision, Board rules, String member, String name) {
    Action action = Objects.requireNonNull(rules.actions().get(name), name);
    return points(period, revision, member, action) / action.points();
  }

  private long points(Period period, int revision, String member, Action action) {
    return ofMember(
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
}
