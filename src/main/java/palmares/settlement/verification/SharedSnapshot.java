package palmares.settlement.verification;

import static org.springframework.transaction.TransactionDefinition.ISOLATION_REPEATABLE_READ;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.bulk.ParallelRunner;

/**
 * Runs parts of a verification in parallel, each on its own connection. All see the snapshot of the
 * caller's transaction.
 */
@Component
class SharedSnapshot {
  private final JdbcClient jdbc;
  private final TransactionTemplate reading;

  SharedSnapshot(JdbcClient jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.reading = new TransactionTemplate(transactions);
    reading.setReadOnly(true);
    reading.setIsolationLevel(ISOLATION_REPEATABLE_READ);
  }

  /** Whether the current transaction only reads, so that others can use its snapshot. */
  boolean canBeShared() {
    Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
    return TransactionSynchronizationManager.isCurrentTransactionReadOnly()
        && isolation != null
        && isolation == ISOLATION_REPEATABLE_READ;
  }

  /**
   * Runs all parts, each in a transaction that is rolled back at its end.
   *
   * @throws RuntimeException the exception of the first part that failed
   */
  void run(List<Runnable> parts) {
    // Idle until the last part ends. It holds no lock for which a closing waits.
    jdbc.sql("set local idle_in_transaction_session_timeout = 0").update();
    String snapshot = jdbc.sql("select pg_export_snapshot()").query(String.class).single();
    ParallelRunner.run(parts.stream().map(part -> asOf(snapshot, part)).toList());
  }

  private Runnable asOf(String snapshot, Runnable part) {
    return () ->
        reading.executeWithoutResult(
            status -> {
              status.setRollbackOnly();
              jdbc.sql("set transaction snapshot '" + snapshot + "'").update();
              part.run();
            });
  }
}
