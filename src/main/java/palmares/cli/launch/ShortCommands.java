package palmares.cli.launch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.env.Environment;

/**
 * Leaves out of commands what only a server uses, which halves their start: health, endpoints,
 * exported metrics, Quartz, and the loops of a server.
 */
final class ShortCommands implements AutoConfigurationImportFilter, EnvironmentAware {
  /** Set by {@link SpringLauncher} for all commands that do not serve. */
  static final String PROPERTY = "palmares.short-command";

  static final List<String> OF_SERVERS =
      List.of(
          "EndpointAutoConfiguration",
          "HealthContributorAutoConfiguration",
          ".AvailabilityProbesAutoConfiguration",
          "MetricsAutoConfiguration",
          ".PrometheusMetricsExportAutoConfiguration",
          ".StartupTimeMetricsListenerAutoConfiguration",
          ".LettuceObservationAutoConfiguration",
          ".ScheduledTasksObservationAutoConfiguration",
          ".HttpMessageConvertersAutoConfiguration",
          ".QuartzAutoConfiguration",
          "SecurityAutoConfiguration",
          ".OAuth2ClientAutoConfiguration",
          ".UserDetailsServiceAutoConfiguration");

  /** Provides the registry that our own meters are counted in. */
  static final String METERS = ".metrics.autoconfigure.MetricsAutoConfiguration";

  private boolean active;

  @Override
  public void setEnvironment(Environment environment) {
    active = environment.getProperty(PROPERTY, Boolean.class, false);
  }

  @Override
  public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
    var matches = new boolean[classes.length];
    for (int i = 0; i < classes.length; i++) {
      String name = String.valueOf(classes[i]);
      matches[i] =
          !active || name.endsWith(METERS) || OF_SERVERS.stream().noneMatch(name::endsWith);
    }
    return matches;
  }

  /**
   * Starts and stops only beans that exist. Spring would create every bean that can be started,
   * lazy ones too, and with them most of the application.
   */
  static void startExistingBeansOnly(ConfigurableApplicationContext context) {
    var processor =
        new DefaultLifecycleProcessor() {
          @Override
          protected Map<String, Lifecycle> getLifecycleBeans() {
            var existing = new LinkedHashMap<String, Lifecycle>();
            for (String name : context.getBeanFactory().getSingletonNames()) {
              if (context.getBeanFactory().getSingleton(name) instanceof Lifecycle bean
                  && bean != this) {
                existing.put(name, bean);
              }
            }
            return existing;
          }
        };
    processor.setBeanFactory(context.getBeanFactory());
    context
        .getBeanFactory()
        .registerSingleton(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, processor);
  }
}
