package palmares.platform.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import palmares.platform.threads.AnswerTimeouts;

/**
 * Lets reports read from a streaming replica of PostgreSQL. The replica must have replayed all that
 * the primary had committed when the call began, so that nobody reads less than what they wrote
 * before, through any server. If it lags longer, or does not answer, the primary is read.
 */
@Component
@EnableConfigurationProperties(ReplicaReads.Settings.class)
public class ReplicaReads implements DisposableBean {
  /** Reports are long, and few at a time. */
  private static final int MAX_CONNECTIONS = 8;

  private static final long CONNECTION_TIMEOUT_MILLIS = 1_000;

  /** How long it may take to say how far it is; a replica whose machine is gone says nothing. */
  private static final int MAX_SILENCE_MILLIS = 2_000;

  private static final String COMMITTED = "select pg_current_wal_flush_lsn()::text";

  /** One that was promoted, or that cannot follow a new primary, has its own history. */
  private static final String REPLAYED =
      """
      select pg_is_in_recovery()
        and exists (select from pg_stat_wal_receiver)
        and pg_last_wal_replay_lsn() >= ?::pg_lsn
      """;

  private static final String INSTALLATION = "select id::text from installation";

  private final DataSource primary;
  private final Settings settings;
  private final @Nullable HikariDataSource replica;
  private final Counter fromReplica;
  private final Counter fromPrimary;

  /** The id of the primary's installation, which never changes; null until it is read. */
  private volatile @Nullable String installation;

  ReplicaReads(DataSource primary, Settings settings, MeterRegistry metrics) throws SQLException {
    this.primary = primary;
    this.settings = settings;
    this.replica = settings.url() == null ? null : pool(primary, settings);
    this.fromReplica = counter("replica", metrics);
    this.fromPrimary = counter("primary", metrics);
  }

  private static Counter counter(String from, MeterRegistry metrics) {
    return Counter.builder("palmares.replica.reads")
        .description("reports that may be read from the replica, by where they were read")
        .tag("from", from)
        .register(metrics);
  }

  /**
   * Settings of the replica.
   *
   * @param url its JDBC URL; without it, all is read from the primary
   * @param username its user; by default that of the primary
   * @param password its password; by default that of the primary
   * @param maxWait how long a report waits for the replica to have what the primary had committed,
   *     before it is read from the primary
   */
  @ConfigurationProperties("palmares.replica")
  record Settings(
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @DefaultValue("500ms") Duration maxWait) {}

  private static HikariDataSource pool(DataSource primary, Settings settings) throws SQLException {
    var pool = new HikariDataSource();
    primary.unwrap(HikariDataSource.class).copyStateTo(pool);
    pool.setPoolName("replica");
    pool.setJdbcUrl(settings.url());
    if (settings.username() != null) {
      pool.setUsername(settings.username());
    }
    if (settings.password() != null) {
      pool.setPassword(settings.password());
    }
    pool.setReadOnly(true);
    pool.setMaximumPoolSize(MAX_CONNECTIONS);
    pool.setMinimumIdle(0);
    pool.setInitializationFailTimeout(-1); // It may be away when a server starts.
    pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
    return pool;
  }

  /** Runs the methods that are marked {@link FromReplica}, before their transactions begin. */
  @Configuration(proxyBeanMethods = false)
  static class Marked {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor replicaAdvisor(ObjectProvider<ReplicaReads> reads) {
      MethodInterceptor interceptor =
          invocation -> {
            Bound bound = reads.getObject().bind();
            try {
              return invocation.proceed();
            } finally {
              bound.close();
            }
          };
      var advisor =
          new DefaultPointcutAdvisor(
              AnnotationMatchingPointcut.forMethodAnnotation(FromReplica.class), interceptor);
      advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
      return advisor;
    }
  }

  /** What this thread reads from until it is closed. */
  @FunctionalInterface
  interface Bound {
    void close();
  }

  /** Lets this thread read from the replica, unless it has a connection already. */
  Bound bind() {
    HikariDataSource pool = replica;
    if (pool == null || TransactionSynchronizationManager.hasResource(primary)) {
      return () -> {};
    }
    Connection connection = fresh(pool);
    if (connection == null) {
      fromPrimary.increment();
      return () -> {};
    }
    fromReplica.increment();
    TransactionSynchronizationManager.bindResource(primary, new ConnectionHolder(connection));
    return () -> {
      TransactionSynchronizationManager.unbindResource(primary);
      close(connection);
    };
  }

  /** Runs work that only reads, as a method that is marked {@link FromReplica}. */
  public <T> T call(Supplier<T> work) {
    Bound bound = bind();
    try {
      return work.get();
    } finally {
      bound.close();
    }
  }

  @Override
  public void destroy() {
    if (replica != null) {
      replica.close();
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool drops it.
    }
  }

  /** Returns a connection to the replica; null if it lags, is none, or does not answer. */
  private @Nullable Connection fresh(HikariDataSource pool) {
    String committed;
    String own = installation;
    try (Connection connection = primary.getConnection()) {
      committed = text(connection, COMMITTED);
      if (own == null) {
        own = text(connection, INSTALLATION);
        installation = own;
      }
    } catch (SQLException e) {
      return null; // The primary's own failure says more.
    }
    Connection connection = null;
    try {
      connection = pool.getConnection();
      int unbounded = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, MAX_SILENCE_MILLIS);
      if (own.equals(text(connection, INSTALLATION)) && hasReplayed(connection, committed)) {
        connection.setNetworkTimeout(Runnable::run, unbounded);
        return AnswerTimeouts.bounded(connection);
      }
    } catch (SQLException e) {
      // As a replica that lags.
    }
    if (connection != null) {
      close(connection);
    }
    return null;
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private boolean hasReplayed(Connection connection, String committed) throws SQLException {
    long until = System.nanoTime() + settings.maxWait().toNanos();
    try (PreparedStatement query = connection.prepareStatement(REPLAYED)) {
      query.setString(1, committed);
      do {
        try (ResultSet row = query.executeQuery()) {
          row.next();
          if (row.getBoolean(1)) {
            return true;
          }
        }
      } while (pause() && System.nanoTime() < until);
    }
    return false;
  }

  private static boolean pause() {
    try {
      Thread.sleep(10);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
