package palmares.platform.sql;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.stereotype.Component;

/**
 * Counts the statements that PostgreSQL refused for lack of disk space. It sees each failure of a
 * {@code JdbcTemplate}, which it translates.
 *
 * <p>This class is thread-safe.
 */
@Component
public class RefusedWrites implements SQLExceptionTranslator {
  private static final String DISK_FULL = "53100";

  private static final int MAX_CAUSES = 20;

  private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();
  private final AtomicLong count = new AtomicLong();

  @Override
  public @Nullable DataAccessException translate(
      String task, @Nullable String sql, SQLException failure) {
    note(failure);
    return translator.translate(task, sql, failure);
  }

  /** Counts a failure if PostgreSQL's refusal caused it. */
  public void note(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof SQLException e && DISK_FULL.equals(e.getSQLState())) {
        count.incrementAndGet();
        return;
      }
    }
  }

  /** The number of refusals since the process started. */
  public long count() {
    return count.get();
  }
}
