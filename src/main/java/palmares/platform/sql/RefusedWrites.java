package palmares.platform.sql;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.stereotype.Component;

/**
 * Counts the statements that PostgreSQL refused for lack of disk space, memory or another resource
 * (SQLSTATE class 53). It sees each failure of a {@code JdbcTemplate}, which it translates.
 *
 * <p>This class is thread-safe.
 */
@Component
public class RefusedWrites implements SQLExceptionTranslator {
  private static final String CLASS = "53";

  /** The server has no connection left, which is an outage. */
  private static final String TOO_MANY_CONNECTIONS = "53300";

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
      if (cause instanceof SQLException e && isRefusal(String.valueOf(e.getSQLState()))) {
        count.incrementAndGet();
        return;
      }
    }
  }

  private static boolean isRefusal(String state) {
    return state.startsWith(CLASS) && !state.equals(TOO_MANY_CONNECTIONS);
  }

  /** The number of refusals since the process started. */
  public long count() {
    return count.get();
  }
}
