package palmares.platform.infra;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Reports that no connection to PostgreSQL can be made: where it was tried, why, what to do. */
public final class PostgresUnavailable extends SQLTransientConnectionException {
  private static final int MAX_CAUSES = 20;

  private final transient Sentence problem;

  private PostgresUnavailable(Sentence problem, SQLException reason, Throwable cause) {
    super(Texts.english(problem), reason.getSQLState(), cause);
    this.problem = problem;
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
    return new PostgresUnavailable(problem(address(url), reason), reason, failure);
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

  /** What is wrong with PostgreSQL at an address. */
  static Sentence problem(String address, SQLException reason) {
    Sentence why = Sentence.verbatim(String.valueOf(reason.getMessage()));
    return new StoreSentences.PostgresUnusable(address, why);
  }

  Sentence problem() {
    return problem;
  }

  /** What a person can do about it. */
  Sentence remedy() {
    Sentence known = remedy(this);
    return known == null ? new StoreSentences.CorrectUrl() : known;
  }

  /** What is wrong, and what a person can do about it, in the language of the caller. */
  public Sentence said() {
    return Sentence.verbatim(Texts.here().whole(problem, remedy()));
  }

  /** Whether an error is about connecting, so that a person can do something about it. */
  public static boolean hasRemedy(SQLException failure) {
    return remedy(failure) != null;
  }

  /** The URL without its parameters, which may contain a password. */
  static String address(String url) {
    return url.split("\\?", 2)[0];
  }

  /** Chosen by the class of the error code; null for errors that do not concern connecting. */
  static @Nullable Sentence remedy(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    if (state.startsWith("08")) {
      return new StoreSentences.CorrectUrl();
    }
    if (state.startsWith("28")) {
      return new StoreSentences.CorrectUser();
    }
    if (state.equals("3D000")) {
      return new StoreSentences.CreateDatabase();
    }
    return state.equals("53300") ? new StoreSentences.AllowConnections() : null;
  }
}
