package palmares.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LogLevel;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Checks the settings of the log before they apply. A wrong level fails before Spring Boot can log
 * its usual report. A log file that cannot be written is left out, with a warning.
 */
final class LoggingCheck
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  private static final Map<String, Object> NONE =
      Map.of(LogFile.FILE_NAME_PROPERTY, "", LogFile.FILE_PATH_PROPERTY, "");

  private static final Bindable<Map<String, LogLevel>> LEVELS =
      Bindable.mapOf(String.class, LogLevel.class);

  private @Nullable String problem;
  private @Nullable BindException wrongLevel;

  /** After files of settings are read, before logging is set up. */
  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER - 1;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    ConfigurableEnvironment environment = event.getEnvironment();
    try {
      Binder.get(environment).bind("logging.level", LEVELS);
    } catch (BindException e) {
      wrongLevel = e;
      Map<String, Object> replaced = Map.of(e.getName().toString(), "warn");
      environment.getPropertySources().addFirst(new MapPropertySource("no wrong level", replaced));
    }
    LogFile file = LogFile.get(environment);
    if (file == null) {
      return;
    }
    try {
      Path path = Path.of(file.toString()).toAbsolutePath();
      Path parent = path.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    } catch (IOException | InvalidPathException e) {
      problem = "the log file %s cannot be written (%s)".formatted(file, reason(e));
      environment.getPropertySources().addFirst(new MapPropertySource("no log file", NONE));
    }
  }

  private static String reason(Exception e) {
    String name = e.getClass().getSimpleName().replaceFirst("Exception$", "");
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  /** Once logging is set up. */
  void report() {
    if (wrongLevel != null) {
      throw wrongLevel;
    }
    if (problem != null) {
      Logger log = LoggerFactory.getLogger(LoggingCheck.class);
      log.warn("{}; the log goes to standard error only", problem);
    }
  }
}
