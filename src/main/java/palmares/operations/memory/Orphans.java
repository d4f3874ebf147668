package palmares.operations.memory;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.KeyStatus;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Removes keys of expired or unknown periods, and records in the audit log who asked for it. */
@Component
public class Orphans {
  private final RedisMemory redis;
  private final JdbcClient jdbc;
  private final AuditLog auditLog;
  private final TransactionTemplate transaction;

  Orphans(RedisMemory redis, JdbcClient jdbc, AuditLog auditLog, TransactionTemplate transaction) {
    this.redis = redis;
    this.jdbc = jdbc;
    this.auditLog = auditLog;
    this.transaction = transaction;
  }

  /**
   * Removes the keys of a period that is expired or unknown. The audit entry is written first; if
   * the removal fails, it can be repeated.
   *
   * @throws Refusal if they are no orphans, or not any more
   */
  public void drop(PeriodMemory orphan, String by, String reason) {
    Optional<String> state =
        jdbc.sql("select state from period where board = :board and name = :name")
            .param("board", orphan.board())
            .param("name", orphan.period())
            .query(String.class)
            .optional();
    boolean stillOrphan =
        orphan.status() == KeyStatus.UNKNOWN
            ? state.isEmpty()
            : orphan.status() == KeyStatus.ORPHAN && state.equals(Optional.of("expired"));
    if (!stillOrphan) {
      throw new Refusal(Problem.WRONG_STATE, new MemorySentences.NoOrphans(orphan.label()));
    }
    transaction.executeWithoutResult(
        status ->
            auditLog.append(
                AuditEntry.of(orphan.board(), orphan.period(), by, "drop-orphans", reason)));
    redis.remove(orphan.board(), orphan.period());
  }
}
