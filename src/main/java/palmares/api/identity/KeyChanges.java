package palmares.api.identity;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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
 * is refused at once by every process. Keeps one connection. Sends a notification to itself every 2
 * seconds, because a connection that hears nothing looks like one without changes: behind a pooler
 * in transaction mode, the session that listens belongs to others.
 */
@Component
class KeyChanges implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(KeyChanges.class);
  private static final String CHANNEL = "palmares_keys";
  private static final String LOOP = "key-changes";
  private static final Duration ROUND_PAUSE = Duration.ofMillis(1);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final Duration MAX_ROUND_AGE = Duration.ofMinutes(1);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
  private static final int NOTIFICATION_TIMEOUT_MILLIS = 500;
  private static final long ECHO_INTERVAL_NANOS = Duration.ofSeconds(2).toNanos();

  private final DataSource dataSource;
  private final ApiKeyCheck check;
  private final Loops loops;
  private final boolean enabled;
  private volatile @Nullable LoopThread thread;

  /** What this process sends to itself. */
  private final String echo = "echo " + Secrets.text();

  /** Used only by the thread, as the next. */
  private @Nullable Connection connection;

  private long sentAt;

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
      if (System.nanoTime() - sentAt > ECHO_INTERVAL_NANOS) {
        send();
      }
      PGNotification[] heard =
          listening.unwrap(PGConnection.class).getNotifications(NOTIFICATION_TIMEOUT_MILLIS);
      if (heard != null) {
        hear(List.of(heard));
      }
    } catch (SQLException e) {
      disconnect();
      throw new CannotGetJdbcConnectionException("cannot listen for changes of API keys", e);
    }
  }

  /** By another connection: its own session hears it even where no others are heard. */
  private void send() throws SQLException {
    sentAt = System.nanoTime();
    try (Connection another = dataSource.getConnection();
        PreparedStatement send = another.prepareStatement("select pg_notify(?, ?)")) {
      send.setString(1, CHANNEL);
      send.setString(2, echo);
      send.execute();
    }
  }

  private void hear(List<PGNotification> heard) {
    if (heard.stream().anyMatch(each -> each.getParameter().equals(echo))) {
      check.setAnnounced(true);
    }
    if (heard.stream().anyMatch(each -> each.getParameter().isEmpty())) {
      check.noteChange();
    }
  }

  private Connection listen() throws SQLException {
    Connection fresh = dataSource.getConnection();
    connection = fresh;
    try (Statement listen = fresh.createStatement()) {
      listen.execute("listen " + CHANNEL);
    }
    check.beginListening();
    sentAt = System.nanoTime() - ECHO_INTERVAL_NANOS - 1;
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
          LoopThread.start(loops.add(LOOP, MAX_ROUND_AGE), ROUND_PAUSE, MAX_PAUSE, this::round);
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
