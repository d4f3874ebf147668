package palmares.period.auditlog;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Keeps every act of a person that changes what is paid or shown. The database links each to the
 * one before it by a hash when the transaction commits, so that none can be changed or removed
 * unnoticed, and no act waits for the work of another.
 */
@Component
public class AuditLog {
  private static final String KEEP =
      """
      insert into act (at, by, verb, board, period, revision, member, reason)
      values (
        :now, :by, :verb, :board::text, :period::text, :revision::int, :member::text, :reason)
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  AuditLog(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Acts, the latest first.
   *
   * @param board only those that concern it; null for all
   * @param period only those that concern it; null for all
   */
  public List<Kept> list(@Nullable String board, @Nullable String period, int most) {
    return jdbc.sql(
            """
            select at, by, verb, board, period, revision, member, reason
            from act
            where board is not distinct from coalesce(:board::text, board)
              and period is not distinct from coalesce(:period::text, period)
            order by id desc
            limit :most
            """)
        .param("board", board)
        .param("period", period)
        .param("most", most)
        .query(
            (row, n) ->
                new Kept(
                    row.getObject("at", OffsetDateTime.class).toInstant(),
                    new AuditEntry(
                        row.getString("by"),
                        row.getString("verb"),
                        row.getString("board"),
                        row.getString("period"),
                        row.getObject("revision", Integer.class),
                        row.getString("member"),
                        row.getString("reason"))))
        .list();
  }

  /** An act, and when it was. */
  public record Kept(Instant at, AuditEntry auditEntry) {}

  /**
   * Whether the period saw such an act, by that person, however the name is capitalized, or, where
   * by is null, by anybody.
   */
  public boolean saw(String board, String period, String verb, @Nullable String by) {
    return jdbc.sql(
            """
            select exists (
              select from act
              where board = :board and period = :period and verb = :verb
                and lower(btrim(by)) = lower(btrim(coalesce(:by::text, by))))
            """)
        .param("board", board)
        .param("period", period)
        .param("verb", verb)
        .param("by", by)
        .query(Boolean.class)
        .single();
  }

  /**
   * Keeps an act for ever, in the transaction of what it does.
   *
   * @return when it was
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Instant keep(AuditEntry auditEntry) {
    Instant now = clock.instant();
    keep(auditEntry, now);
    return now;
  }

  /** As {@link #keep(Act)}, where the caller knows better when it is. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void keep(AuditEntry auditEntry, Instant at) {
    jdbc.sql(KEEP)
        .param("now", at.atOffset(ZoneOffset.UTC))
        .param("by", auditEntry.by())
        .param("verb", auditEntry.verb())
        .param("board", auditEntry.board())
        .param("period", auditEntry.period())
        .param("revision", auditEntry.revision())
        .param("member", auditEntry.member())
        .param("reason", auditEntry.reason())
        .update();
  }
}
