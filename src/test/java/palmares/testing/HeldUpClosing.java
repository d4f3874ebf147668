package palmares.testing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** Lets closings wait in the middle of a step, in its transaction, until the test lets them go. */
public final class HeldUpClosing implements AutoCloseable {
  private static final int LOCK = 37;

  private final Servers servers;
  private final Connection holder;

  /** Where a closing waits. */
  public enum Moment {
    /** Redis has sealed the board, and PostgreSQL does not know it yet. */
    SEAL("update on period", "old.state = 'open' and new.state = 'sealed'"),
    /** The last events are read from Redis, and not stored. */
    DRAIN("insert or update on journal_position", "true"),
    FILL("insert on revision", "true"),
    /** Redis has the mark of a payment, which is not committed. */
    POST("update on period", "new.state = 'settled'");

    private final String change;
    private final String condition;

    Moment(String change, String condition) {
      this.change = change;
      this.condition = condition;
    }
  }

  public HeldUpClosing(Servers servers, DataSource database, Moment moment) throws SQLException {
    this.servers = servers;
    this.holder = database.getConnection();
    execute("select true from pg_advisory_lock(%d)".formatted(LOCK));
    servers.sql(
        """
        create function hold_up() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock_shared(%d);
          return new;
        end $$
        """
            .formatted(LOCK));
    servers.sql(
        """
        create trigger "a test holds it up" before %s
        for each row when (%s) execute function hold_up()
        """
            .formatted(moment.change, moment.condition));
  }

  private boolean execute(String sql) throws SQLException {
    try (Statement statement = holder.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /** Waits until a closing waits. */
  public void await() {
    Awaitility.await()
        .until(
            () ->
                execute(
                    "select exists (select from pg_locks where locktype = 'advisory' and objid = %d"
                            .formatted(LOCK)
                        + " and not granted)"));
  }

  /** Lets it go on. */
  public void release() throws SQLException {
    execute("select true from pg_advisory_unlock(%d)".formatted(LOCK));
  }

  @Override
  public void close() throws SQLException {
    execute("select true from pg_advisory_unlock_all()");
    holder.close();
    servers.sql("drop function hold_up cascade");
  }
}
