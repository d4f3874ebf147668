package palmares.operations.lateevents;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.platform.time.SqlTime;
import palmares.rules.board.MemberId;
import palmares.settlement.verification.Difference;
import palmares.settlement.verification.Findings;
import palmares.testing.Line;

/** Makes amendments with corrected lines, but without ranks and awards. */
final class CorrectedRevisions {
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Corrections corrections;

  CorrectedRevisions(JdbcClient jdbc, TransactionTemplate transaction, Corrections corrections) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.corrections = corrections;
  }

  /** Points that a person sets. */
  record ByHand(String member, long points) {}

  /** Makes the next revision, with all accepted late events and these points. */
  void amend(Period period, int base, ByHand... byHand) {
    transaction.executeWithoutResult(
        status -> {
          int revision = begin(period, base);
          corrections.copy(period, base, revision);
          corrections.acceptLate(period, revision);
          for (ByHand one : byHand) {
            corrections.setPoints(
                period, revision, new MemberId(one.member()), one.points(), "a typo", "ann");
          }
          corrections.apply(period, revision);
        });
  }

  private int begin(Period period, int base) {
    return jdbc.sql(
            """
            insert into revision (
              id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
              reason)
            select nextval('shared_outcome'), :period, max(revision) + 1, :base, :hash, 'take',
              'ann', now(), 'a test'
            from revision
            where period_id = :period
            returning revision
            """)
        .param("period", period.id().value())
        .param("base", base)
        .param("hash", period.definitionHash())
        .query(Integer.class)
        .single();
  }

  /** Marks the revision as posted. */
  void post(Period period, int revision) {
    decide(period, revision, "approved");
    jdbc.sql(
            """
            update revision
            set lines = 0, line_sum = 0, payments = 0, payment_sum = 0, filled_at = now(),
              posted_at = now(), fence = period.fence
            from period
            where period_id = period.id and period_id = ? and revision.revision = ?
            """)
        .params(period.id().value(), revision)
        .update();
    jdbc.sql("update period set revision = ? where id = ?")
        .params(revision, period.id().value())
        .update();
  }

  void reject(Period period, int revision) {
    decide(period, revision, "rejected");
  }

  private void decide(Period period, int revision, String verdict) {
    jdbc.sql(
            """
            update revision
            set verdict = ?, decided_by = 'bob', decided_at = now(), verdict_reason = 'a test'
            where period_id = ? and revision = ?
            """)
        .params(verdict, period.id().value(), revision)
        .update();
  }

  /** The lines that the revision ranks, in order; each has its place as rank. */
  List<Line> basis(Period period, int revision, boolean fewestWin, boolean fewestThen) {
    return jdbc.sql(
            """
            select row_number() over exact as place, member, points, then_by, reached_at
            from basis
            where period_id = ? and revision = ?
            window exact as (
              order by %s * points, %s * then_by, arrival, reached_at, member collate "C" desc)
            order by 1
            """
                .formatted(fewestWin ? 1 : -1, fewestThen ? 1 : -1))
        .params(period.id().value(), revision)
        .query(
            (row, n) ->
                new Line(
                    row.getLong("place"),
                    row.getLong("place"),
                    row.getString("member"),
                    row.getLong("points"),
                    row.getLong("then_by"),
                    SqlTime.nullableInstant(row, "reached_at")))
        .list();
  }

  /** The findings on corrections. The rest of an amendment is not made here, so it would differ. */
  static List<Difference> ofCorrections(Findings findings) {
    return findings.named().stream()
        .filter(
            one ->
                Stream.of("amended line", "late event", "correction")
                    .anyMatch(kind -> Texts.english(one.what()).startsWith(kind)))
        .toList();
  }
}
