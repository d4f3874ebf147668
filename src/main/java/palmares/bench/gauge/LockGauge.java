package palmares.bench.gauge;

import java.util.concurrent.CompletableFuture;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Parts;

/**
 * How many locks of PostgreSQL are held while something runs: counted again and again by a
 * connection that does nothing else. A lock that is held for less than one count may be missed.
 */
public final class LockGauge implements AutoCloseable {
  private final JdbcClient jdbc;
  private final CompletableFuture<Void> counting;
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private volatile boolean over;
  private volatile Most most = new Most(0, 0, "");

  /** Begins, and returns once the first count is done. */
  public LockGauge(Parts parts) {
    this.jdbc = parts.get(JdbcClient.class);
    TransactionTemplate transaction = parts.get(TransactionTemplate.class);
    this.counting =
        CompletableFuture.runAsync(() -> transaction.executeWithoutResult(status -> count()))
            .whenComplete((done, failed) -> begun.complete(null));
    begun.join();
  }

  /**
   * The most that was counted.
   *
   * @param held locks of all sessions at one time, without those that count
   * @param waiting locks that were asked for and not granted at one time
   * @param statement of the session that held the most of them
   */
  public record Most(long held, long waiting, String statement) {
    private Most or(Most other) {
      return new Most(
          Math.max(held, other.held),
          Math.max(waiting, other.waiting),
          other.held > held ? other.statement : statement);
    }
  }

  /** In one transaction, so that it is always the same session. */
  private void count() {
    while (!over) {
      most =
          most.or(
              jdbc.sql(
                      """
                      with held as (
                        select pid, count(*) as locks, count(*) filter (where not granted) as waiting
                        from pg_locks
                        where pid <> pg_backend_pid()
                        group by pid
                      )
                      select
                        coalesce(sum(locks), 0) as held,
                        coalesce(sum(waiting), 0) as waiting,
                        coalesce((
                          select query
                          from held most
                          join pg_stat_get_activity(most.pid) activity using (pid)
                          order by locks desc
                          limit 1), '') as statement
                      from held
                      """)
                  .query(Most.class)
                  .single());
      begun.complete(null);
    }
  }

  /** Ends the counting. */
  public Most end() {
    close();
    return most;
  }

  @Override
  public void close() {
    over = true;
    counting.join();
  }
}
