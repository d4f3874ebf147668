package palmares.mutants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * While a campaign runs, gives its tests applications of their own, whose statements and scripts it
 * can change.
 */
public final class MutableContext implements ContextCustomizerFactory {
  static volatile boolean isOn;

  /** A changed statement may never end, which no test's own timeout interrupts. */
  private static final int MAX_SECONDS = 20;

  /** The database of the latest application. */
  static volatile @Nullable DataSource database;

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> test, List<ContextConfigurationAttributes> attributes) {
    return isOn ? new Customizer() : null;
  }

  /** Equal to any other, so that the tests of a campaign share an application. */
  private record Customizer() implements ContextCustomizer {
    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration merged) {
      context.getBeanFactory().addBeanPostProcessor(new Changes(context));
    }
  }

  private record Changes(ConfigurableApplicationContext context) implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof DataSource source && name.equals("dataSource")) {
        database = source;
        return new MutableStatements(source);
      }
      return bean.getClass() == RedisClient.class
          ? new MutableScripts(
              context.getBean(RedisConnectionFactory.class),
              context.getBean(RedisClient.Settings.class))
          : bean;
    }
  }

  private static final class MutableStatements extends DelegatingDataSource {
    MutableStatements(DataSource target) {
      super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection target = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (self, method, arguments) -> {
                boolean prepares = method.getName().equals("prepareStatement");
                String sql = prepares ? (String) arguments[0] : "";
                if (prepares) {
                  arguments[0] = Planting.INSTANCE.statement(sql);
                }
                try {
                  Object result = method.invoke(target, arguments);
                  if (prepares && !arguments[0].equals(sql)) {
                    ((Statement) result).setQueryTimeout(MAX_SECONDS);
                  }
                  return result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private static final class MutableScripts extends RedisClient {
    MutableScripts(RedisConnectionFactory connections, Settings settings) {
      super(connections, settings);
    }

    @Override
    public List<List<byte[]>> run(LuaScript script, List<ScriptCall> calls) {
      return super.run(Planting.INSTANCE.script(script), calls);
    }

    @Override
    public CompletableFuture<List<byte[]>> send(LuaScript script, ScriptCall call) {
      return super.send(Planting.INSTANCE.script(script), call);
    }
  }
}
