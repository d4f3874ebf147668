package palmares.api.identity;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.stereotype.Component;
import palmares.platform.threads.LoopThread;
import palmares.platform.threads.Loops;

/**
 * Listens for changes of API keys, which PostgreSQL announces as they commit, so that a revoked key
 * is refused at once by every process. Keeps one connection.
 */
@Component
class KeyChanges implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(KeyChanges.class);
  private static final String LOOP = "key-changes";
  private static final Duration ROUND_PAUSE = Duration.ofMillis(1);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final Duration UNHEALTHY_AFTER = Duration.ofMinutes(1);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
  private static final int NOTIFICATION_TIMEOUT_MILLIS = 500;

  private final DataSource dataSource;
  private final ApiKeyCheck check;
  private final Loops loops;
  private final boolean enabled;
  private volatile @Nullable LoopThread thread;

  /** Used only by the thread. */
  private @Nullable Connection connection;

  KeyChanges(
      DataSource dataSource,
      ApiKeyCheck check,
      Loops loops,
      @Value("${palmares.writer.enabled:true}") boolean enabled) {
    this.dataSource = dataSource;
    this.check = check;
    this.loops = loops;
    this.enabled = enabled;
  }

  private void round() {
    try {
      Connection listening = connection == null ? listen() : connection;
      PGNotification[] changes =
          listening.unwrap(PGConnection.class).getNotifications(NOTIFICATION_TIMEOUT_MILLIS);
      if (changes != null && changes.length > 0) {
        check.noteChange();
      }
    } catch (SQLException e) {
      disconnect();
      throw new CannotGetJdbcConnectionException("cannot listen for changes of API keys", e);
    }
  }

  private Connection listen() throws SQLException {
    Connection fresh = dataSource.getConnection();
    connection = fresh;
    try (Statement listen = fresh.createStatement()) {
      listen.execute("listen palmares_keys");
    }
    check.setAnnounced(true);
    return fresh;
  }

  private void disconnect() {
    check.setAnnounced(false);
    Connection broken = connection;
    connection = null;
    if (broken == null) {
      return;
    }
    try (broken;
        Statement unlisten = broken.createStatement()) {
      unlisten.execute("unlisten *"); // the pool lends the connection to others
    } catch (SQLException e) {
      LOG.debug("a connection that listened is closed: {}", e.getMessage());
    }
  }

  @Override
  public void start() {
    if (enabled) {
      thread =
          LoopThread.start(loops.add(LOOP, UNHEALTHY_AFTER), ROUND_PAUSE, MAX_PAUSE, this::round);
    }
  }

  @Override
  public void stop() {
    LoopThread running = thread;
    if (running != null) {
      thread = null;
      running.stop(STOP_TIMEOUT);
      loops.remove(LOOP);
      disconnect();
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}
