package palmares.operations.memory;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.Fate;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;

/** Removes keys that belong to nobody, and keeps who asked for it. */
@Component
public class Orphans {
  private final RedisMemory live;
  private final JdbcClient jdbc;
  private final AuditLog auditLog;
  private final TransactionTemplate transaction;

  Orphans(RedisMemory live, JdbcClient jdbc, AuditLog auditLog, TransactionTemplate transaction) {
    this.live = live;
    this.jdbc = jdbc;
    this.auditLog = auditLog;
    this.transaction = transaction;
  }

  /**
   * Removes the keys of a period that is expired, or is still not known. The act is kept first: one
   * that breaks off is known too, and is finished when it is asked for again.
   *
   * @throws IllegalArgumentException if they are no orphans, or are by now another's
   */
  public void drop(PeriodMemory orphan, String by, String reason) {
    Optional<String> state =
        jdbc.sql("select state from period where board = :board and name = :name")
            .param("board", orphan.board().value())
            .param("name", orphan.period().value())
            .query(String.class)
            .optional();
    boolean stillOne =
        orphan.fate() == Fate.UNKNOWN
            ? state.isEmpty()
            : orphan.fate() == Fate.ORPHAN && state.equals(Optional.of("expired"));
    if (!stillOne) {
      throw new IllegalArgumentException(
          "the keys of %s are no orphans: nothing of them is removed".formatted(orphan.label()));
    }
    transaction.executeWithoutResult(
        status ->
            auditLog.keep(
                new AuditEntry(
                    by,
                    "drop-orphans",
                    orphan.board().value(),
                    orphan.period().value(),
                    null,
                    null,
                    reason)));
    live.remove(orphan.board(), orphan.period());
  }
}
