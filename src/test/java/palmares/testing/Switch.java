package palmares.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database that can be switched off, and counts how often somebody came. */
public final class Switch extends DelegatingDataSource {
  private final AtomicInteger visits = new AtomicInteger();
  private volatile boolean off;

  public Switch(DataSource database) {
    super(database);
  }

  public void off() {
    off = true;
  }

  public void on() {
    off = false;
  }

  /** How often a connection was asked for so far. */
  public int visits() {
    return visits.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    visits.incrementAndGet();
    if (off) {
      throw new SQLTransientConnectionException("switched off");
    }
    return super.getConnection();
  }
}
