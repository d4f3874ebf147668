package palmares.bench.gauge;

import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Beans;

/**
 * Counts the locks of PostgreSQL, in a loop on its own connection. Locks that are held for less
 * than one count may be missed.
 */
public final class LockGauge implements AutoCloseable {
  private final JdbcClient jdbc;
  private final CompletableFuture<Void> counting;
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private volatile boolean stopped;
  private volatile LockCounts most = new LockCounts(0, 0, 0, "");

  /** Begins to count, and returns after the first count. */
  public LockGauge(Beans beans) {
    this.jdbc = beans.get(JdbcClient.class);
    TransactionTemplate transaction = beans.get(TransactionTemplate.class);
    this.counting =
        CompletableFuture.runAsync(() -> transaction.executeWithoutResult(status -> count()))
            .whenComplete((done, failed) -> begun.complete(null));
    begun.join();
  }

  /**
   * The highest counts.
   *
   * @param held locks of all other client sessions at one time, which varies as they overlap
   * @param inOneSession locks of one session at one time
   * @param waiting locks not granted at one time
   * @param statement the statement that took most locks
   */
  public record LockCounts(long held, long inOneSession, long waiting, String statement) {
    /** The higher counts of both. */
    public LockCounts most(LockCounts other) {
      return new LockCounts(
          Math.max(held, other.held),
          Math.max(inOneSession, other.inOneSession),
          Math.max(waiting, other.waiting),
          held >= other.held ? statement : other.statement);
    }
  }

  private record Session(int pid, long locks, long waiting, String query) {}

  /** Counts in one transaction, and therefore in one session. */
  private void count() {
    var before = new HashMap<Integer, Long>();
    long taken = 0;
    while (!stopped) {
      // Without this, pg_stat_activity would not change until the end of the transaction.
      jdbc.sql("select pg_stat_clear_snapshot()").query((row, n) -> n).single();
      List<Session> sessions = sessions();
      for (Session session : sessions) {
        long more = session.locks() - before.getOrDefault(session.pid(), 0L);
        if (more > taken) {
          taken = more;
          most = new LockCounts(most.held(), most.inOneSession(), most.waiting(), session.query());
        }
      }
      before.clear();
      sessions.forEach(session -> before.put(session.pid(), session.locks()));
      most =
          new LockCounts(
              Math.max(most.held(), sessions.stream().mapToLong(Session::locks).sum()),
              sessions.stream().mapToLong(Session::locks).reduce(most.inOneSession(), Math::max),
              Math.max(most.waiting(), sessions.stream().mapToLong(Session::waiting).sum()),
              most.statement());
      begun.complete(null);
    }
  }

  private List<Session> sessions() {
    return jdbc.sql(
            """
            select pid, locks, waiting, coalesce(query, '') as query
            from (
              select pid, count(*) as locks, count(*) filter (where not granted) as waiting
              from pg_locks
              where pid <> pg_backend_pid()
              group by pid
            ) held
            join pg_stat_activity using (pid)
            where backend_type = 'client backend' -- autovacuum has locks, too
            """)
        .query(Session.class)
        .list();
  }

  /** Ends the counting. */
  public LockCounts end() {
    close();
    return most;
  }

  @Override
  public void close() {
    stopped = true;
    counting.join();
  }
}
