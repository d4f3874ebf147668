package palmares.operations.withheld;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Choice;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Money;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.outcome.Revisions;

/**
 * Lists the lines whose awards are withheld, and keeps people's decisions on them, of which each is
 * final. What is released is paid by the next amendment.
 */
@Component
public class WithheldLines {
  private static final String LINES =
      """
      with entry as (
        select
          period.board,
          period.name as period,
          flagged_line.member,
          chain,
          same_address,
          same_device,
          (
            select jsonb_agg(by_currency order by currency)
            from (
              select currency, sum(amount) as amount
              from withheld_award
              join prize using (outcome, rule)
              where outcome = revision.id and withheld_award.member = flagged_line.member
              group by currency
            ) by_currency
          ) as withheld,
          case
            when decision is null then 'undecided'
            when decision = 'refuse' then 'refused'
            when since_revision > period.revision then 'released'
            when exists (
              select from frozen_exclusion excluded
              where excluded.period_id = period.id
                and excluded.revision = period.revision
                and excluded.member = flagged_line.member) then 'excluded'
            else 'paid' end as state,
          line_decision.made_by as by,
          line_decision.reason,
          is_settled(period.state) as settled,
          revision.posted_at as since
        from flagged_line
        join period on period.id = flagged_line.period_id
        join revision on revision.period_id = period.id and revision.revision = period.revision
        left join line_decision
          on line_decision.period_id = flagged_line.period_id
          and line_decision.member = flagged_line.member
        where board = coalesce(:board, board)
      )
      """;

  private final JdbcClient jdbc;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Revisions revisions;
  private final AuditLog auditLog;
  private final Clock clock;

  WithheldLines(
      JdbcClient jdbc,
      Periods periods,
      BoardDefinitions definitions,
      Revisions revisions,
      AuditLog auditLog,
      Clock clock) {
    this.jdbc = jdbc;
    this.periods = periods;
    this.definitions = definitions;
    this.revisions = revisions;
    this.auditLog = auditLog;
    this.clock = clock;
  }

  /** What a person decides on a line. */
  public enum Decision implements Choice {
    /** The next amendment pays what is withheld. */
    RELEASE,
    /** It is never paid. */
    REFUSE;

    /** The name of the verb, in tasks and in the audit log. */
    public String verb() {
      return word() + "-withheld";
    }

    /** What becomes of the line at first. */
    public State state() {
      return this == RELEASE ? State.RELEASED : State.REFUSED;
    }
  }

  /** What has become of a line. */
  public enum State implements Choice {
    /** Nobody has decided yet. */
    UNDECIDED,
    /** It is paid once an amendment is approved. */
    RELEASED,
    /** The revision in force pays it. */
    PAID,
    /** It was released, and the revision in force excludes its member, who is paid nothing. */
    EXCLUDED,
    /** It is never paid. */
    REFUSED
  }

  /**
   * A line that was flagged.
   *
   * @param why it was flagged
   * @param withheld what the revision in force withholds
   * @param decision why it was decided so, and by whom; null if nobody has decided
   */
  public record WithheldLine(
      String board,
      String period,
      String member,
      @Wrapped Sentence why,
      List<Money> withheld,
      State state,
      @Nullable Sentence decision) {}

  private record Row(
      String board,
      String period,
      String member,
      @Nullable Long chain,
      @Nullable Long sameAddress,
      @Nullable Long sameDevice,
      List<Money> withheld,
      State state,
      @Nullable String by,
      @Nullable String reason) {
    WithheldLine line() {
      return new WithheldLine(
          board, period, member, new ListSentences.All(why()), withheld, state, decision());
    }

    private List<Sentence> why() {
      var why = new ArrayList<Sentence>();
      if (chain != null) {
        why.add(new WithheldSentences.Chain(chain));
      }
      if (sameAddress != null) {
        why.add(new WithheldSentences.SameAddress(sameAddress));
      }
      if (sameDevice != null) {
        why.add(new WithheldSentences.SameDevice(sameDevice));
      }
      return why;
    }

    private @Nullable Sentence decision() {
      return reason == null || by == null ? null : new WithheldSentences.DecidedFor(reason, by);
    }
  }

  /** A position in the list. */
  public record Position(String board, String period, String member) {}

  /**
   * Flagged lines by board, period and member.
   *
   * @param board only this board's; null for all
   * @param period only this period's; null for all
   * @param member only this member's; null for all
   * @param undecided whether to leave out those that are decided
   * @param after only those after this one, in that order; null for all
   * @param most how many at most
   */
  public List<WithheldLine> list(
      @Nullable BoardId board,
      @Nullable PeriodName period,
      @Nullable MemberId member,
      boolean undecided,
      @Nullable Position after,
      int most) {
    return jdbc
        .sql(
            LINES
                + """
                select board, period, member, chain, same_address, same_device,
                  coalesce(withheld, '[]') as withheld, state, by, reason
                from entry
                where period = coalesce(:period, period)
                  and member = coalesce(:member, member)
                  and (not :undecided or state = 'undecided')
                  and (:after_board::text is null
                    or (board, period, member collate "C")
                      > (:after_board, :after_period, :after_member))
                order by board, period, member
                limit :most
                """)
        .param("board", board == null ? null : board.value())
        .param("period", period == null ? null : period.value())
        .param("member", member == null ? null : member.value())
        .param("undecided", undecided)
        .param("after_board", after == null ? null : after.board())
        .param("after_period", after == null ? null : after.period())
        .param("after_member", after == null ? null : after.member())
        .param("most", most)
        .query(Row.class)
        .list()
        .stream()
        .map(Row::line)
        .toList();
  }

  /**
   * Lines of a settled period that need a person, and have the same state.
   *
   * @param since when the revision in force was posted
   * @param members with a line of which something is withheld
   * @param withheld what is withheld of all of them
   * @param prepared whether an amendment is prepared that no person has decided on
   */
  public record OpenLines(
      String board,
      String period,
      State state,
      Instant since,
      List<String> members,
      List<Money> withheld,
      boolean prepared) {}

  /**
   * The lines without a decision, and those that were released and not paid yet, of which anything
   * is withheld.
   *
   * @param board only this board's; null for all
   */
  public List<OpenLines> open(@Nullable BoardId board) {
    return jdbc.sql(
            LINES
                + """
                , by_state as (
                  select board, period, state, since, array_agg(member order by member) as members
                  from entry
                  where settled and withheld is not null and state in ('undecided', 'released')
                  group by board, period, state, since
                )
                select
                  by_state.board, by_state.period, by_state.state, since, members,
                  (
                    select jsonb_agg(by_currency order by currency)
                    from (
                      select currency, sum(amount) as amount
                      from withheld_award
                      join revision on revision.id = withheld_award.outcome
                      join prize using (outcome, rule)
                      where revision.period_id = period.id
                        and revision.revision = period.revision
                        and withheld_award.member = any(members)
                      group by currency
                    ) by_currency
                  ) as withheld,
                  exists (
                    select from revision
                    where period_id = period.id and posted_at is null
                      and verdict is distinct from 'rejected') as prepared
                from by_state
                join period on period.board = by_state.board and period.name = by_state.period
                order by board, period, state
                """)
        .param("board", board == null ? null : board.value())
        .query(OpenLines.class)
        .list();
  }

  /**
   * Decides on flagged lines of a settled period: on all of those named, or none.
   *
   * @param members whose lines; empty for all without a decision
   * @return the number of lines
   * @throws WrongState if one is not flagged, or was decided before
   */
  @Transactional
  public int decide(
      Period period, Collection<String> members, Decision decision, String by, String reason) {
    // Amendments are computed under the same lock: each sees the decision, or is numbered before
    // it.
    periods.lock(period.id());
    requireDecidable(periods.get(period.id()), decision);
    List<Former> flagged = flagged(period);
    List<String> chosen = chosen(period, flagged, members);
    int since = nextRevision(period);
    Instant now = clock.instant();
    for (String member : chosen) {
      auditLog.append(
          new AuditEntry(
                  by,
                  decision.verb(),
                  period.board().value(),
                  period.name().value(),
                  null,
                  member,
                  reason)
              .with("since", since),
          now);
      jdbc.sql(
              """
              insert into line_decision (
                period_id, member, decision, since_revision, made_by, made_at, reason)
              values (:period, :member, :decision, :since, :by, :at, :reason)
              """)
          .param("period", period.id())
          .param("member", member)
          .param("decision", decision)
          .param("since", since)
          .param("by", by)
          .param("at", now)
          .param("reason", reason)
          .update();
    }
    return chosen.size();
  }

  private void requireDecidable(Period period, Decision decision) {
    if (!period.state().isSettled()) {
      throw new WrongState(new WithheldSentences.Unsettled(period.label(), period.state()));
    }
    if (decision == Decision.RELEASE && revisions.isArchived(period.id())) {
      throw new WrongState(new WithheldSentences.Archived(period.label()));
    }
  }

  /** A flagged line, and the decision on it; without one, the other fields are null. */
  private record Former(
      String member,
      @Nullable Decision decision,
      @Nullable String by,
      @Nullable Instant at,
      @Nullable String reason) {}

  private List<Former> flagged(Period period) {
    return jdbc.sql(
            """
            select member, decision, made_by as by, made_at as at, reason
            from flagged_line
            left join line_decision using (period_id, member)
            where period_id = :period
            order by member
            """)
        .param("period", period.id())
        .query(Former.class)
        .list();
  }

  private List<String> chosen(Period period, List<Former> flagged, Collection<String> members) {
    if (members.isEmpty()) {
      List<String> undecided =
          flagged.stream().filter(line -> line.decision() == null).map(Former::member).toList();
      if (undecided.isEmpty()) {
        throw new WrongState(new WithheldSentences.NoneUndecided(period.label()));
      }
      return undecided;
    }
    var missing = new TreeSet<>(members);
    flagged.forEach(line -> missing.remove(line.member()));
    if (!missing.isEmpty()) {
      throw new WrongState(new WithheldSentences.NotFlagged(period.label(), missing.first()))
          .then(Next.of("withheld", period.board(), period.name()));
    }
    var named = new HashSet<>(members);
    List<Former> chosen = flagged.stream().filter(line -> named.contains(line.member())).toList();
    chosen.forEach(line -> requireUndecided(period, line));
    return chosen.stream().map(Former::member).toList();
  }

  private void requireUndecided(Period period, Former line) {
    if (line.decision() != null
        && line.by() != null
        && line.at() != null
        && line.reason() != null) {
      throw new WrongState(
          new WithheldSentences.DecidedBefore(
              line.member(),
              period.label(),
              line.decision().state(),
              line.by(),
              line.at().atZone(definitions.of(period).zone()),
              line.reason()));
    }
  }

  private int nextRevision(Period period) {
    return jdbc.sql("select max(revision) + 1 from revision where period_id = :period")
        .param("period", period.id())
        .query(Integer.class)
        .single();
  }
}
