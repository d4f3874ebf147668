package palmares.operations.lateevents;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.rules.board.MemberScore;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Reads and writes corrections, the lines that they change, and the amended lines. */
@Component
class CorrectionRows {
  private final JdbcClient jdbc;
  private final Revisions revisions;

  CorrectionRows(JdbcClient jdbc, Revisions revisions) {
    this.jdbc = jdbc;
    this.revisions = revisions;
  }

  /** The lines that these members have in the closing; none for members without one. */
  Map<String, MemberScore> closingLines(PeriodId period, Collection<String> members) {
    return jdbc
        .sql(
            """
            select member, points, coalesce(then_by, 0) as then_by,
              coalesce(arrival, 0) as arrival, reached_at
            from line
            where outcome = :outcome and member = any(:members::text[])
            """)
        .param("outcome", revisions.outcome(period, Revision.FIRST))
        .param("members", members)
        .query(MemberScore.class)
        .list()
        .stream()
        .collect(toMap(MemberScore::member, identity()));
  }

  /**
   * The corrections of a revision, in their order.
   *
   * @param member only this member's; null for all
   */
  List<Correction> corrections(PeriodId period, int revision, @Nullable String member) {
    return jdbc.sql(
            """
            select n, member, event_id, points, then_by, at
            from correction
            where period_id = :period
              and revision = :revision
              and member = coalesce(:member, member)
            order by n
            """)
        .param("period", period)
        .param("revision", revision)
        .param("member", member)
        .query(Correction.class)
        .list();
  }

  int next(PeriodId period, int revision) {
    return jdbc.sql(
            """
            select coalesce(max(n), 0) + 1 from correction
            where period_id = :period and revision = :revision
            """)
        .param("period", period)
        .param("revision", revision)
        .query(Integer.class)
        .single();
  }

  /** Copies the corrections of a revision to another, which has none yet. */
  void copy(PeriodId period, int base, int revision) {
    jdbc.sql(
            """
            insert into correction (
              period_id, revision, n, member, kind, event_id, points, then_by, at, reason, made_by,
              made_at)
            select
              period_id, :revision, n, member, kind, event_id, points, then_by, at, reason, made_by,
              made_at
            from correction
            where period_id = :period and revision = :base
            """)
        .param("period", period)
        .param("base", base)
        .param("revision", revision)
        .update();
  }

  record Reason(String text, String by, Instant at) {}

  void add(PeriodId period, int revision, Correction correction, Reason reason) {
    jdbc.sql(
            """
            insert into correction (
              period_id, revision, n, member, kind, event_id, points, then_by, at, reason, made_by,
              made_at)
            values (
              :period, :revision, :n, :member, :kind, :event::text, :points, :then_by,
              :at::timestamptz, :reason, :by, :made_at)
            """)
        .param("period", period)
        .param("revision", revision)
        .param("n", correction.n())
        .param("member", correction.member())
        .param("kind", correction.byHand() ? "points" : "late-event")
        .param("event", correction.eventId())
        .param("points", correction.points())
        .param("then_by", correction.thenBy())
        .param("at", correction.at())
        .param("reason", reason.text())
        .param("by", reason.by())
        .param("made_at", reason.at())
        .update();
  }

  void addAmendedLines(PeriodId period, int revision, Collection<MemberScore> lines) {
    jdbc.sql(
            """
            insert into amended_line (
              period_id, revision, member, points, then_by, arrival, reached_at)
            select :period, :revision, member, points, then_by, arrival, reached_at::timestamptz
            from unnest(
              :members::text[], :points::bigint[], :thens::bigint[], :arrivals::bigint[],
              :times::text[])
              as line (member, points, then_by, arrival, reached_at)
            """)
        .param("period", period)
        .param("revision", revision)
        .param("members", lines.stream().map(MemberScore::member).toList())
        .param("points", lines.stream().map(MemberScore::points).toList())
        .param("thens", lines.stream().map(MemberScore::thenBy).toList())
        .param("arrivals", lines.stream().map(MemberScore::arrival).toList())
        .param(
            "times",
            lines.stream()
                .map(line -> line.reachedAt() == null ? null : line.reachedAt().toString())
                .toList())
        .update();
  }

  /** Whether the member has a line on the period, an event on any board, or has registered. */
  boolean knows(PeriodId period, String member) {
    return jdbc.sql(
            """
            select exists (select from line where outcome = :outcome and member = :member)
              or exists (select from member where id = :member)
              or exists (select from event where member = :member)
              or exists (select from late_event where member = :member)
            """)
        .param("outcome", revisions.outcome(period, Revision.FIRST))
        .param("member", member)
        .query(Boolean.class)
        .single();
  }
}
