package palmares.period.auditlog;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.text.Texts;

/**
 * Stores the audit entries. When the transaction commits, the database links each entry to the one
 * before it by a hash, so that no entry can be changed or removed unnoticed. Open transactions do
 * not wait for one another.
 */
@Component
public class AuditLog {
  private static final String INSERT =
      """
      insert into audit_entry (at, by, verb, board, period, revision, member, reason, details)
      values (
        :now, :by, :verb, :board::text, :period::text, :revision::int, :member::text,
        :reason::text, :details::jsonb)
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final ThreadLocal<@Nullable Watch> watch = new ThreadLocal<>();

  AuditLog(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Returns stored entries, latest first.
   *
   * @param board only entries about this board; null for all
   * @param period only entries about this period, and of imports of its events; null for all
   * @param before only entries before the one with this id; null for all
   * @param most the maximum number of entries
   */
  public List<Stored> list(
      @Nullable String board, @Nullable String period, @Nullable Long before, int most) {
    return jdbc.sql(
            """
            select id, at, by, verb, board, period, revision, member, reason, details
            from audit_entry
            where (:before::bigint is null or id < :before)
              and board is not distinct from coalesce(:board::text, board)
              and (
                period is not distinct from coalesce(:period::text, period)
                or verb = 'import' and exists (
                  select from imported_period
                  join period imported on imported.id = period_id
                  where to_jsonb(import_run_id) = details->'import'
                    and entered_at = at
                    and imported.board = audit_entry.board
                    and imported.name = :period))
            order by id desc
            limit :most
            """)
        .param("board", board)
        .param("period", period)
        .param("before", before)
        .param("most", most)
        .query(Stored.class)
        .list();
  }

  public record Stored(long id, Instant at, AuditEntry entry) {}

  public boolean contains(String board, String period, String verb) {
    return jdbc.sql(
            """
            select exists (
              select from audit_entry where board = :board and period = :period and verb = :verb)
            """)
        .param("board", board)
        .param("period", period)
        .param("verb", verb)
        .query(Boolean.class)
        .single();
  }

  /**
   * Stores an entry, in the transaction of the change that it describes.
   *
   * @return the time of the entry
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Instant append(AuditEntry entry) {
    Instant now = clock.instant();
    append(entry, now);
    return now;
  }

  /** Stores an entry with a time that the caller gives. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void append(AuditEntry entry, Instant at) {
    // Tests run with assertions; in production a missing text must not stop what is recorded.
    assert Texts.in(Locale.ENGLISH).knownWord("audit", entry.verb()) != null
        : "there is no text 'audit.%s'".formatted(entry.verb());
    jdbc.sql(INSERT)
        .param("now", at)
        .param("by", entry.by())
        .param("verb", entry.verb())
        .param("board", entry.board())
        .param("period", entry.period())
        .param("revision", entry.revision())
        .param("member", entry.member())
        .param("reason", entry.reason())
        .param("details", entry.details().toString())
        .update();
    Watch watching = watch.get();
    if (watching != null && watching.reason.equals(entry.reason())) {
      watching.found = true;
    }
  }

  /** Watches from now on whether this thread stores an entry with a reason. */
  public Watch watch(String reason) {
    var begun = new Watch(reason);
    watch.set(begun);
    return begun;
  }

  /** Says whether the thread that began it has stored an entry with a reason. */
  public final class Watch implements AutoCloseable {
    private final String reason;
    private boolean found;

    private Watch(String reason) {
      this.reason = reason;
    }

    public boolean found() {
      return found;
    }

    @Override
    public void close() {
      watch.remove();
    }
  }
}
