package palmares.settlement.verification;

import static org.springframework.transaction.TransactionDefinition.ISOLATION_REPEATABLE_READ;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;

import java.util.List;
import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.bulk.ParallelRunner;

/**
 * Runs parts of a verification in parallel, each on its own connection. All see the snapshot of the
 * caller's transaction. Where connections are few, the parts run in that transaction, one after the
 * other: it never waits for a connection that others hold.
 */
@Component
class SharedSnapshot {
  /** A half is left to closings, a quarter to downloads, and the rest to everything else. */
  private static final int SHARE_OF_CONNECTIONS = 6;

  private final JdbcClient jdbc;
  private final TransactionTemplate nested;
  private final TransactionTemplate reading;
  private final int maxConnections;

  /** Only one verification at a time uses more connections than its own. */
  private final Semaphore permit = new Semaphore(1);

  SharedSnapshot(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      @Value("${spring.datasource.hikari.maximum-pool-size}") int connections) {
    this.jdbc = jdbc;
    this.maxConnections = connections / SHARE_OF_CONNECTIONS;
    this.nested = new TransactionTemplate(transactions);
    nested.setPropagationBehavior(PROPAGATION_NESTED);
    this.reading = new TransactionTemplate(transactions);
    reading.setReadOnly(true);
    reading.setIsolationLevel(ISOLATION_REPEATABLE_READ);
  }

  /** Whether the current transaction only reads, so that others can use its snapshot. */
  private static boolean canBeShared() {
    Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
    return TransactionSynchronizationManager.isCurrentTransactionReadOnly()
        && isolation != null
        && isolation == ISOLATION_REPEATABLE_READ;
  }

  /**
   * Runs all parts, each in a transaction that is rolled back at its end, so that its locks go. If
   * the caller's transaction may have changed rows, the parts run in that one.
   *
   * @throws RuntimeException the exception of the first part that failed
   */
  void run(List<Runnable> parts) {
    // With one connection more, that of the caller would be idle instead.
    if (maxConnections < 2 || !canBeShared() || !permit.tryAcquire()) {
      parts.forEach(this::runNested);
      return;
    }
    try {
      runInParallel(parts);
    } finally {
      permit.release();
    }
  }

  private void runNested(Runnable part) {
    nested.executeWithoutResult(
        status -> {
          part.run();
          status.setRollbackOnly();
        });
  }

  private void runInParallel(List<Runnable> parts) {
    // Idle until the last part ends. It holds no lock for which a closing waits.
    jdbc.sql("set local idle_in_transaction_session_timeout = 0").update();
    String snapshot = jdbc.sql("select pg_export_snapshot()").query(String.class).single();
    ParallelRunner.run(parts.stream().map(part -> asOf(snapshot, part)).toList(), maxConnections);
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
