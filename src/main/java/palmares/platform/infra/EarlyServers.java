package palmares.platform.infra;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import palmares.platform.embedded.ServersUnavailable;

/**
 * Begins to start the embedded servers before Spring reads its configuration: both take a while.
 */
class EarlyServers implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  /** Named by whoever starts the application for a purpose of its own, when all else is named. */
  private static final String PURPOSE = "palmares.purpose";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    Environment environment = context.getEnvironment();
    if (environment.containsProperty(PURPOSE) && embedded(environment)) {
      var settings = Binder.get(environment).bindOrCreate("palmares", EmbeddedSettings.class);
      var starting = new StartingServers(settings);
      var beans = (DefaultListableBeanFactory) context.getBeanFactory();
      String name = StartingServers.class.getName();
      beans.registerSingleton(name, starting);
      beans.registerDisposableBean(name, starting);
    }
  }

  private static boolean embedded(Environment environment) {
    try {
      return Infra.of(environment) == Infra.EMBEDDED;
    } catch (ServersUnavailable told) {
      return false; // And told again, by the configuration that depends on it.
    }
  }
}
