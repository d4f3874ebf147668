package palmares.platform.infra;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.EmbeddedInfra.EmbeddedSettings;

/** Starts the embedded servers while Spring reads its configuration, which saves start-up time. */
class EarlyServers implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  /** Set after all other properties that concern the servers. */
  private static final String PURPOSE_PROPERTY = "palmares.purpose";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    Environment environment = context.getEnvironment();
    if (environment.containsProperty(PURPOSE_PROPERTY) && isEmbedded(environment)) {
      var settings = Binder.get(environment).bindOrCreate("palmares", EmbeddedSettings.class);
      var starting = new StartingServers(settings);
      var beans = (DefaultListableBeanFactory) context.getBeanFactory();
      String name = StartingServers.class.getName();
      beans.registerSingleton(name, starting);
      beans.registerDisposableBean(name, starting);
    }
  }

  private static boolean isEmbedded(Environment environment) {
    try {
      return Infra.of(environment) == Infra.EMBEDDED;
    } catch (ServersUnavailable reported) {
      return false; // OnEmbedded reports it.
    }
  }
}
