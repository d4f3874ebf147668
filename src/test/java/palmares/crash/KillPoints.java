package palmares.crash;

import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.event.command.CommandSucceededEvent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The points at which this process can kill itself: before and after each statement that writes,
 * each commit, each COPY, and each command to Redis that writes. A point is named by the chapter
 * whose work it is and by the method that causes it, so that no product code marks one.
 */
final class KillPoints implements BeanPostProcessor {
  private static final Pattern WRITES =
      Pattern.compile(
          "(?is).*\\b(insert|update|delete|truncate|create|alter|drop|merge|do|call|lock)\\b.*");

  private static final Set<String> REDIS_WRITES =
      Set.of(
          "EVAL",
          "EVALSHA",
          "XADD",
          "XTRIM",
          "XDEL",
          "DEL",
          "UNLINK",
          "RENAME",
          "RENAMENX",
          "SET",
          "HSET",
          "HDEL",
          "ZADD",
          "ZREM",
          "PERSIST",
          "EXPIRE",
          "PEXPIRE");

  private static final int SIGKILL = 9;
  private static final int SIGSTOP = 19;

  /** Whose work it is, by the innermost frame of one of these packages. */
  private static final Map<String, String> AREAS =
      Map.ofEntries(
          Map.entry("palmares.settlement.outbox.", "outbox"),
          Map.entry("palmares.settlement.closing.", "closing"),
          Map.entry("palmares.live.relay.", "relay"),
          Map.entry("palmares.live.journal.", "drain"),
          Map.entry("palmares.live.intake.", "intake"),
          Map.entry("palmares.api.writer.ImportsController", "import"),
          Map.entry("palmares.operations.amendment.", "amendment"),
          Map.entry("palmares.operations.batches.", "batch task"),
          Map.entry("palmares.operations.tasks.", "task"),
          Map.entry("palmares.operations.archive.", "archive"),
          Map.entry("palmares.operations.withheld.", "withheld lines"),
          Map.entry("palmares.settlement.watch.", "watch"),
          Map.entry("org.flywaydb.", "migration"));

  /** Frames that serve all areas alike. */
  private static final List<String> SERVANTS =
      List.of("palmares.platform.", "palmares.crash.", "palmares.cli.", "palmares.Palmares");

  /** In the order in which they were passed first. */
  private static final Map<String, Long> COUNTS = new LinkedHashMap<>();

  private static volatile @Nullable Armed armed;

  private record Armed(String point, boolean after, AtomicLong left, int signal) {
    boolean isAt(String passed) {
      int any = point.indexOf('*');
      return any < 0
          ? point.equals(passed)
          : passed.startsWith(point.substring(0, any)) && passed.endsWith(point.substring(any + 1));
    }
  }

  /** How often each point was passed, in the order in which they were passed first. */
  static Map<String, Long> counts() {
    synchronized (COUNTS) {
      return new LinkedHashMap<>(COUNTS);
    }
  }

  /**
   * Kills the process when the point is reached, or stops it until it gets SIGCONT.
   *
   * @param point may have a {@code *} for any words, which then are counted together
   * @param after whether what the point is about has happened by then
   * @param times the first time is 1
   */
  static void arm(String point, boolean after, long times, boolean stops) {
    armed = new Armed(point, after, new AtomicLong(times), stops ? SIGSTOP : SIGKILL);
  }

  static void disarm() {
    armed = null;
  }

  private static String pass(String kind) {
    String point = name(kind);
    synchronized (COUNTS) {
      COUNTS.merge(point, 1L, Long::sum);
    }
    killIf(point, false);
    return point;
  }

  private static void killIf(String point, boolean after) {
    Armed chosen = armed;
    if (chosen != null
        && chosen.after() == after
        && chosen.isAt(point)
        && chosen.left().decrementAndGet() == 0) {
      raise(chosen.signal());
    }
  }

  /** By the JDK's own method, which {@link Victim} opens: its public one refuses these signals. */
  private static void raise(int signal) {
    try {
      Method raise =
          Class.forName("jdk.internal.misc.Signal").getDeclaredMethod("raise0", int.class);
      raise.setAccessible(true);
      raise.invoke(null, signal);
    } catch (ReflectiveOperationException e) {
      System.err.println("cannot kill itself: " + e);
      Runtime.getRuntime().halt(1); // Which the campaign takes for no kill.
    }
  }

  private static String name(String kind) {
    return StackWalker.getInstance()
        .walk(
            frames -> {
              String area = null;
              String cause = null;
              for (var frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
                String type = frame.getClassName();
                if (area == null) {
                  area = area(type);
                }
                if (cause == null
                    && type.startsWith("palmares.")
                    && SERVANTS.stream().noneMatch(type::startsWith)) {
                  cause = method(frame);
                }
                if (area != null && cause != null) {
                  break;
                }
              }
              return "%s: %s %s"
                  .formatted(
                      Objects.requireNonNullElse(area, "other"),
                      Objects.requireNonNullElse(cause, "-"),
                      kind);
            });
  }

  private static @Nullable String area(String type) {
    return AREAS.entrySet().stream()
        .filter(area -> type.startsWith(area.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static String method(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    return type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$\\$.*", "")
        + "."
        + frame.getMethodName().replaceAll("lambda\\$(.*)\\$\\d+", "$1");
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof LettuceConnectionFactory redis) {
      redis.getRequiredNativeClient().addListener(new Commands());
    }
    return bean instanceof DataSource database && name.equals("dataSource")
        ? new DelegatingDataSource(database) {
          @Override
          public Connection getConnection() throws SQLException {
            return proxy(Connection.class, super.getConnection(), "");
          }
        }
        : bean;
  }

  /** Commands to Redis: their answers come on another thread, which knows the point by then. */
  private static final class Commands implements CommandListener {
    private static final String POINT = "point";

    @Override
    public void commandStarted(CommandStartedEvent event) {
      String command = event.getCommand().getType().toString();
      if (REDIS_WRITES.contains(command)) {
        event.getContext().put(POINT, pass("redis"));
      }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
      if (event.getContext().get(POINT) instanceof String point) {
        killIf(point, true);
      }
    }
  }

  private <T> T proxy(Class<T> type, T target, String sql) {
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call(target, method, arguments, sql)));
  }

  private @Nullable Object call(
      Object target, Method method, Object @Nullable [] arguments, String prepared)
      throws Throwable {
    String sql =
        arguments != null && arguments.length > 0 && arguments[0] instanceof String text
            ? text
            : prepared;
    String kind = kind(method.getName(), sql);
    String point = kind == null ? null : pass(kind);
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (point != null) {
      killIf(point, true);
    }
    if (result instanceof PreparedStatement statement
        && method.getReturnType() == PreparedStatement.class) {
      return proxy(PreparedStatement.class, statement, sql);
    }
    return method.getReturnType() == Statement.class && target instanceof Connection
        ? proxy(Statement.class, (Statement) Objects.requireNonNull(result), "")
        : result;
  }

  private static @Nullable String kind(String method, String sql) {
    if (method.equals("commit")) {
      return "commit";
    }
    if (method.startsWith("execute")) {
      return WRITES.matcher(sql).matches() ? "statement" : null;
    }
    return method.equals("unwrap") ? "copy" : null;
  }
}
