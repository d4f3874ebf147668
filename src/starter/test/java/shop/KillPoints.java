package shop;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.stereotype.Component;

/**
 * Kills the shop when it passes the point that the variable {@code KILL} names: before or after a
 * statement that writes, or the commit of a transaction that began with it.
 */
@Component
class KillPoints implements BeanPostProcessor {
  /** All points, in the order in which an order and an award pass them. */
  static final List<String> ALL =
      List.of(
          "insert into shop_order",
          "insert into palmares_outbox",
          "commit of insert into shop_order",
          "delete from palmares_outbox",
          "commit of delete from palmares_outbox",
          "insert into palmares_inbox",
          "insert into shop_credit",
          "update shop_wallet",
          "update palmares_inbox",
          "commit of insert into palmares_inbox");

  private static final Pattern WRITE =
      Pattern.compile("\\s*((?:insert into|update|delete from) \\w+).*", Pattern.DOTALL);
  private static final String CHOSEN = System.getenv("KILL");

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof DataSource database && CHOSEN != null
        ? new DelegatingDataSource(database) {
          @Override
          public Connection getConnection() throws SQLException {
            return proxy(Connection.class, super.getConnection(), new Transaction(), null);
          }
        }
        : bean;
  }

  /** What a connection has written since its last commit. */
  private static final class Transaction {
    private String first;
  }

  private static <T> T proxy(Class<T> type, T target, Transaction transaction, String prepared) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader() == null
                ? KillPoints.class.getClassLoader()
                : type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call(target, method, arguments, transaction, prepared)));
  }

  private static Object call(
      Object target, Method method, Object[] arguments, Transaction transaction, String prepared)
      throws Throwable {
    String point = null;
    if (method.getName().equals("commit") && transaction.first != null) {
      point = "commit of " + transaction.first;
      transaction.first = null;
    } else if (method.getName().equals("rollback")) {
      transaction.first = null;
    } else if (method.getName().startsWith("execute") && prepared != null) {
      Matcher write = WRITE.matcher(prepared);
      if (write.matches()) {
        point = write.group(1);
        transaction.first = transaction.first == null ? point : transaction.first;
      }
    }
    dieAt("before " + point);
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    dieAt("after " + point);
    return result instanceof PreparedStatement statement
            && method.getReturnType() == PreparedStatement.class
        ? proxy(PreparedStatement.class, statement, transaction, (String) arguments[0])
        : result;
  }

  private static void dieAt(String point) {
    if (point.equals(CHOSEN)) {
      try {
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
        new CountDownLatch(1).await();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
