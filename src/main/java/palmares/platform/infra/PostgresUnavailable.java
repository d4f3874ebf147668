package palmares.platform.infra;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Reports that no connection to PostgreSQL can be made: where it was tried, why, what to do. */
public final class PostgresUnavailable extends SQLTransientConnectionException {
  private static final int MAX_CAUSES = 20;

  private PostgresUnavailable(String url, SQLException reason, Throwable cause) {
    super(
        "PostgreSQL at %s cannot be used: %s".formatted(address(url), reason.getMessage()),
        reason.getSQLState(),
        cause);
  }

  /**
   * @param url as in {@code spring.datasource.url}
   * @param failure of the pool, whose innermost error of the driver has the reason
   */
  static PostgresUnavailable of(String url, Throwable failure) {
    SQLException reason = new SQLException("it does not answer");
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof SQLException found) {
        reason = found;
      }
    }
    return new PostgresUnavailable(url, reason, failure);
  }

  /** Finds it among the causes of a failure; null if it is none of them. */
  public static @Nullable PostgresUnavailable in(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof PostgresUnavailable found) {
        return found;
      }
    }
    return null;
  }

  /** What a person can do about it. */
  public String remedy() {
    String known = remedy(String.valueOf(getSQLState()));
    return known.isEmpty() ? "Start it, or correct spring.datasource.url." : known;
  }

  /** Its message, and what a person can do about it. */
  public String sentence() {
    String message = String.valueOf(getMessage());
    return message + (message.endsWith(".") ? " " : ". ") + remedy();
  }

  /** Whether an error is about connecting, so that a person can do something about it. */
  public static boolean hasRemedy(SQLException failure) {
    return !remedy(String.valueOf(failure.getSQLState())).isEmpty();
  }

  /** The URL without its parameters, which may contain a password. */
  static String address(String url) {
    return url.split("\\?", 2)[0];
  }

  /** Chosen by the class of the error code; empty for errors that do not concern connecting. */
  static String remedy(String state) {
    if (state.startsWith("08")) {
      return "Start it, or correct spring.datasource.url.";
    }
    if (state.startsWith("28")) {
      return "Correct spring.datasource.username and spring.datasource.password, or allow the user"
          + " in pg_hba.conf.";
    }
    if (state.equals("3D000")) {
      return "Create the database, or correct its name in spring.datasource.url.";
    }
    return state.equals("53300")
        ? "Allow more connections on the server (max_connections), or reduce the pool"
            + " (spring.datasource.hikari.maximum-pool-size)."
        : "";
  }
}
