package palmares.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Ends work at a chosen statement as {@code kill -9} would: nothing that it does to the database
 * afterwards happens, so that it gives back neither leases nor locks by statements. What is not
 * committed is rolled back, as the server does when it loses a client.
 */
public final class MortalProcess implements BeanPostProcessor {
  /** What a server does for a client that is gone, or what only asks the driver. */
  private static final Set<String> AFTER_DEATH =
      Set.of(
          "rollback",
          "close",
          "isClosed",
          "setAutoCommit",
          "getAutoCommit",
          "setReadOnly",
          "isReadOnly",
          "setTransactionIsolation",
          "getTransactionIsolation",
          "getWarnings",
          "clearWarnings",
          "unwrap",
          "isWrapperFor");

  private final ThreadLocal<@Nullable Countdown> countdowns = new ThreadLocal<>();
  private final ThreadLocal<Boolean> watches = ThreadLocal.withInitial(() -> false);

  /** The one of all threads that have none of their own. */
  private volatile @Nullable Countdown shared;

  private record Countdown(AtomicLong left, Runnable watcher) {
    Countdown(long left) {
      this(new AtomicLong(left), () -> {});
    }

    boolean isOver() {
      return left.get() <= 0;
    }
  }

  /** The end of a process. It is no exception, so that nobody handles it. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Adds it to an application. */
  @Configuration(proxyBeanMethods = false)
  public static class Added {
    @Bean
    static MortalProcess mortalProcess() {
      return new MortalProcess();
    }
  }

  /** Runs the work, and returns whether it was killed at that statement or commit. */
  public boolean killedAt(long statement, Runnable work) {
    countdowns.set(new Countdown(statement));
    try {
      work.run();
      return false;
    } catch (Killed killed) {
      return true;
    } finally {
      countdowns.remove();
    }
  }

  /** Runs the work, and returns the number of its statements and commits. */
  public long statements(Runnable work) {
    var countdown = new Countdown(Long.MAX_VALUE);
    countdowns.set(countdown);
    try {
      work.run();
    } finally {
      countdowns.remove();
    }
    return Long.MAX_VALUE - countdown.left().get();
  }

  /**
   * As {@link #killedAt}, for work with threads: all of them end. Work that reports its failure
   * instead of passing it on was killed, too.
   */
  public boolean allKilledAt(long statement, Runnable work) {
    var countdown = new Countdown(statement);
    shared = countdown;
    try {
      work.run();
    } catch (Throwable e) {
      if (!countdown.isOver()) {
        throw e;
      }
    } finally {
      shared = null;
    }
    return countdown.isOver();
  }

  /**
   * As {@link #statements}, for work with threads.
   *
   * @param watcher runs before each statement, and before and after each commit, outside of the
   *     work's transactions
   */
  public long allStatements(Runnable watcher, Runnable work) {
    var countdown = new Countdown(new AtomicLong(Long.MAX_VALUE), watcher);
    shared = countdown;
    try {
      work.run();
    } finally {
      shared = null;
    }
    return Long.MAX_VALUE - countdown.left().get();
  }

  private @Nullable Countdown countdown() {
    if (watches.get()) {
      return null;
    }
    Countdown own = countdowns.get();
    return own == null ? shared : own;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof DataSource database && name.equals("dataSource")
        ? new DelegatingDataSource(database) {
          @Override
          public Connection getConnection() throws SQLException {
            requireAlive();
            return proxy(Connection.class, super.getConnection());
          }
        }
        : bean;
  }

  private void requireAlive() {
    Countdown countdown = countdown();
    if (countdown != null && countdown.isOver()) {
      throw new Killed();
    }
  }

  /** Counts a statement, and dies if it is the chosen one. */
  private void count() {
    Countdown countdown = countdown();
    if (countdown != null) {
      countdown.left().decrementAndGet();
      watches.set(true);
      try {
        countdown.watcher().run();
      } finally {
        watches.set(false);
      }
    }
    requireAlive();
  }

  private <T> T proxy(Class<T> type, T target) {
    InvocationHandler handler = (self, method, arguments) -> call(target, method, arguments);
    return type.cast(
        Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** The driver's own interface is asked for only to copy rows. */
  private static boolean copies(Method method, Object @Nullable [] arguments) {
    return method.getName().equals("unwrap")
        && arguments != null
        && arguments[0] == PGConnection.class;
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    boolean commits = method.getName().equals("commit");
    if (method.getName().startsWith("execute") || commits || copies(method, arguments)) {
      count();
    } else if (!AFTER_DEATH.contains(method.getName())) {
      requireAlive();
    }
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (commits) {
      count(); // Dies after the commit, too.
    }
    if (result instanceof PreparedStatement statement) {
      return proxy(PreparedStatement.class, statement);
    }
    return result instanceof Statement statement ? proxy(Statement.class, statement) : result;
  }
}
