package palmares.platform.infra;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves out the auto-configuration of tracing unless {@code management.tracing.export.enabled} is
 * true, so that it costs nothing: neither spans nor the time to load OpenTelemetry.
 */
class TracingIfEnabled implements AutoConfigurationImportFilter, EnvironmentAware {
  private static final String PROPERTY = "management.tracing.export.enabled";

  private boolean enabled;

  @Override
  public void setEnvironment(Environment environment) {
    enabled = environment.getProperty(PROPERTY, Boolean.class, false);
  }

  @Override
  public boolean[] match(
      @Nullable String[] autoConfigurations, AutoConfigurationMetadata metadata) {
    var matches = new boolean[autoConfigurations.length];
    for (int i = 0; i < matches.length; i++) {
      String name = autoConfigurations[i];
      matches[i] =
          enabled
              || name == null
              || !name.startsWith("org.springframework.boot.micrometer.tracing.")
                  && !name.startsWith("org.springframework.boot.opentelemetry.");
    }
    return matches;
  }
}
