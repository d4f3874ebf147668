package palmares.operations.explain;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.explain.EqualLines.Level;
import palmares.operations.explain.Explanation.Prize;
import palmares.operations.explain.Explanation.Standing;
import palmares.operations.explain.Explanation.Ties;
import palmares.operations.explain.Explanation.Transfer;
import palmares.operations.explain.Reasons.Had;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;
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
  private final TieRows ties;
  private final RevisionHistory history;

  OutcomeRows(
      JdbcClient jdbc,
      BoardDefinitions definitions,
      Awards awards,
      EqualLines equals,
      TieRows ties,
      RevisionHistory history) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.awards = awards;
    this.equals = equals;
    this.ties = ties;
    this.history = history;
  }

  /**
   * Says what a member has in the revisions of a period.
   *
   * @param ties those in the current revision, or in the latest if none is posted yet
   */
  record Settled(List<Standing> standings, Ties ties, List<Transfer> transfers) {}

  Settled of(Period period, Board rules, String member) {
    List<RevisionSummary> revisions =
        history.of(period.board(), period.name(), null, Integer.MAX_VALUE);
    return new Settled(
        revisions.stream().map(revision -> standing(period, revision, member)).toList(),
        ties(rules, revisions, member),
        transfers(revisions, member));
  }

  /** The ties in the current revision, or in the latest if none is posted yet. */
  private Ties ties(Board rules, List<RevisionSummary> revisions, String id) {
    return revisions.stream()
        .filter(one -> one.status().equals("in force"))
        .findAny()
        .or(() -> revisions.stream().reduce((one, later) -> later))
        .map(one -> ties.of(one.outcome(), rules, id))
        .orElseGet(() -> new Ties(0, List.of()));
  }

  record Line(
      long place, @Nullable Long rank, long points, long thenBy, @Nullable Instant reachedAt) {}

  private Standing standing(Period period, RevisionSummary revision, String member) {
    int number = revision.revision();
    Board rules = definitions.of(period.board(), hash(period, number));
    Optional<Line> line = line(revision.outcome(), member);
    Sentence excluded = excluded(period, number, member);
    List<Prize> won =
        line.map(there -> prizes(period, revision, rules, member, there)).orElse(List.of());
    return new Standing(
        number,
        revision.status(),
        said(revision, rules.zone()),
        line.map(Line::place).orElse(null),
        line.map(Line::rank).orElse(null),
        line.map(Line::points).orElse(null),
        line.map(there -> second(rules, there)).orElse(null),
        line.map(Line::reachedAt).orElse(null),
        excluded,
        corrections(period, number, member),
        won,
        won.isEmpty()
            ? withheld(revision.outcome(), member).orElseGet(() -> nothing(rules, line, excluded))
            : null);
  }

  private static List<Sentence> said(RevisionSummary revision, ZoneId zone) {
    var said = new ArrayList<Sentence>();
    if (revision.reason() != null) {
      said.add(
          new ExplanationSentences.Prepared(
              revision.preparedBy(), revision.preparedAt().atZone(zone), revision.reason()));
    }
    if (!revision.heldFor().isEmpty()) {
      said.add(new ExplanationSentences.HeldFor(revision.heldFor()));
    }
    if (revision.decidedBy() != null
        && (revision.amends() != null || !revision.heldFor().isEmpty())) {
      said.add(
          new ExplanationSentences.Decided(
              revision.decidedBy(),
              requireNonNull(revision.decidedAt()).atZone(zone),
              requireNonNull(revision.why())));
    }
    return said;
  }

  private static @Nullable Sentence second(Board rules, Line line) {
    ThenBy second = rules.scale().thenBy();
    return second == null ? null : new ExplanationSentences.SecondKey(line.thenBy(), second.name());
  }

  /**
   * What an outcome withholds of a line.
   *
   * @param by who has refused it, with the reason; null if nobody has
   */
  private record Withheld(List<Money> withheld, @Nullable String by, @Nullable String reason) {
    Sentence said() {
      return by == null || reason == null
          ? new ExplanationSentences.Withheld(withheld)
          : new ExplanationSentences.Refused(withheld, by, reason);
    }
  }

  private Optional<Sentence> withheld(int outcome, String member) {
    return jdbc.sql(
            """
            select withheld, refusal.made_by as by, refusal.reason
            from (
              select outcome, member,
                jsonb_agg(
                  jsonb_build_object('currency', currency, 'amount', amount) order by rule)
                  as withheld
              from withheld_award
              join prize using (outcome, rule)
              where outcome = :outcome and member = :member
              group by outcome, member
            ) line
            join revision on revision.id = line.outcome
            left join line_decision refusal
              on refusal.period_id = revision.period_id
              and refusal.member = line.member
              and refusal.decision = 'refuse'
            """)
        .param("outcome", outcome)
        .param("member", member)
        .query(Withheld.class)
        .optional()
        .map(Withheld::said);
  }

  private static Sentence nothing(Board rules, Optional<Line> line, @Nullable Sentence excluded) {
    if (line.isEmpty()) {
      return excluded == null
          ? new ExplanationSentences.NoLine()
          : new ExplanationSentences.NotOnBoard();
    }
    if (excluded != null) {
      return new ExplanationSentences.NoPrize();
    }
    List<RewardRule> all = rules.payout().rules();
    if (all.isEmpty()) {
      return new ExplanationSentences.NoPayout();
    }
    Long least = rules.payout().minPoints();
    if (least != null && !rules.scale().scoring().fewestWin() && line.get().points() < least) {
      return new ExplanationSentences.TooFewPoints(least);
    }
    return new ExplanationSentences.NoRule(all.stream().map(RewardRule::name).toList());
  }

  private String hash(Period period, int revision) {
    return jdbc.sql(
            """
            select definition_hash from revision
            where period_id = :period and revision = :revision
            """)
        .param("period", period.id())
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

  private @Nullable Sentence excluded(Period period, int revision, String member) {
    return ofMember(
            "select level, reason, made_by as by from frozen_exclusion", period, revision, member)
        .query(ExplanationSentences.Excluded.class)
        .optional()
        .orElse(null);
  }

  private List<Sentence> corrections(Period period, int revision, String member) {
    return ofMember(
            "select kind, event_id, points, reason, made_by from correction",
            period,
            revision,
            member)
        .query(Correction.class)
        .list()
        .stream()
        .map(Correction::said)
        .toList();
  }

  private record Correction(@Nullable String eventId, long points, String madeBy, String reason) {
    Sentence said() {
      return eventId == null
          ? new ExplanationSentences.Corrected(points, madeBy, reason)
          : new ExplanationSentences.LateEventCounts(eventId, points, madeBy, reason);
    }
  }

  /** The transfers of the member's awards in these revisions, in the order of their posting. */
  private List<Transfer> transfers(List<RevisionSummary> revisions, String member) {
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
        .param("outcomes", revisions.stream().map(RevisionSummary::outcome).toList())
        .param("member", member)
        .query(Transfer.class)
        .list();
  }

  private JdbcClient.StatementSpec ofMember(
      String select, Period period, int revision, String member) {
    return jdbc.sql(
            select + " where period_id = :period and revision = :revision and member = :member")
        .param("period", period.id())
        .param("revision", revision)
        .param("member", member);
  }

  private List<Prize> prizes(
      Period period, RevisionSummary of, Board rules, String member, Line line) {
    List<Award> awarded = awarded(of.outcome(), member);
    if (awarded.isEmpty()) {
      return List.of();
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
    return awarded.stream()
        .map(
            award ->
                new Prize(
                    award.rule(),
                    award.credits(),
                    award.currency(),
                    reasons.why(award.rule(), award.credits(), had)))
        .toList();
  }

  private record Award(String rule, long credits, String currency) {}

  /** The changes of all outcomes that add up to the awards. */
  private List<Award> awarded(int outcome, String member) {
    List<Integer> parts =
        jdbc.sql("select part from award_part where outcome = :outcome")
            .param("outcome", outcome)
            .query(Integer.class)
            .list();
    return jdbc.sql(
            """
            select rule, sum(credits) as credits, currency
            from award_changes(:parts::int[])
            where member = :member
            group by rule, currency
            having sum(credits) <> 0
            """)
        .param("parts", parts)
        .param("member", member)
        .query(Award.class)
        .list();
  }

  /** How often the member did an action. */
  private long times(Period period, int revision, Board rules, String member, String name) {
    Action action = requireNonNull(rules.actions().get(name), name);
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
