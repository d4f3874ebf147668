package palmares.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LogLevel;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.period.Lease;
import palmares.platform.Refusal;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.PostgresUnavailable;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.platform.text.WrongSetting;

/** Starts a Spring application, which a shutdown of the process closes. */
public final class SpringLauncher implements Launcher {
  private final Class<?> application;

  /**
   * @param application the class with {@code @SpringBootApplication}
   */
  public SpringLauncher(Class<?> application) {
    this.application = application;
  }

  @Override
  public RunningApplication start(LaunchOptions launch) {
    var seen = new AtomicReference<ConfigurableApplicationContext>();
    var wrongValue = new WrongValue(launch.definitions());
    var spring = new SpringApplication(application);
    spring.setBannerMode(Banner.Mode.OFF);
    spring.setLogStartupInfo(false);
    spring.setWebApplicationType(
        launch.has(Part.WEB) || launch.has(Part.MANAGEMENT)
            ? WebApplicationType.SERVLET
            : WebApplicationType.NONE);
    if (launch.has(Part.MANAGEMENT)) {
      spring.setDefaultProperties(
          Map.of(
              "management.server.port",
              "8081",
              "management.server.address",
              "${server.address}",
              "logging.structured.ecs.service.node-name",
              "${palmares.node:" + Lease.THIS_PROCESS + "}"));
    }
    var logFile = new LoggingCheck();
    spring.addListeners(logFile);
    spring.addInitializers(
        context -> {
          seen.set(context);
          logFile.report();
          wrongValue.requirePorts(context.getEnvironment());
          launch
              .beans()
              .forEach(
                  (type, bean) -> context.getBeanFactory().registerSingleton(type.getName(), bean));
        });
    try {
      return new Started(spring.run(arguments(launch)));
    } catch (RuntimeException e) {
      throw StartupFailure.of(e, seen.get(), wrongValue);
    }
  }

  /** The properties as command line arguments, which override the environment and all files. */
  private static String[] arguments(LaunchOptions launch) {
    var properties = new LinkedHashMap<String, String>();
    properties.put("palmares.purpose", launch.purpose());
    properties.put("spring.quartz.auto-startup", "" + launch.has(Part.SCHEDULER));
    boolean serves = serves(launch);
    properties.put("palmares.journal.drain", "" + serves);
    properties.put("palmares.relay.background", "" + serves);
    properties.put("palmares.outbox.background", "" + launch.has(Part.SCHEDULER));
    properties.put("palmares.signals.background", "" + serves);
    properties.put("palmares.roles", ""); // The variable is for servers, which repeat it below.
    properties.put("palmares.writer.enabled", "" + launch.has(Part.WEB));
    properties.putAll(logLevels(launch));
    properties.putAll(launch.properties());
    if (launch.has(Part.MANAGEMENT) && !launch.has(Part.WEB)) {
      properties.put("server.port", "-1"); // The management port is the only one.
    }
    var arguments = new ArrayList<String>();
    properties.forEach((key, value) -> arguments.add("--" + key + "=" + value));
    return arguments.toArray(String[]::new);
  }

  private static boolean serves(LaunchOptions launch) {
    return launch.has(Part.WEB) || launch.has(Part.SCHEDULER);
  }

  /** Silences the loggers that would repeat what {@link StartupFailure} reports. */
  private static Map<String, String> logLevels(LaunchOptions launch) {
    var levels = new LinkedHashMap<String, String>();
    for (String logger :
        List.of(
            "org.springframework.boot.SpringApplication",
            "org.springframework.boot.diagnostics",
            "org.springframework.boot.web.server.servlet.context",
            "org.springframework.context.annotation")) {
      levels.put("logging.level." + logger, "off");
    }
    if (!launch.has(Part.LOG)) {
      levels.put("logging.level.root", "error");
      levels.put("logging.level.palmares", "warn");
    }
    return levels;
  }

  private record Started(ConfigurableApplicationContext context) implements RunningApplication {
    @Override
    public <T> T get(Class<T> type) {
      return context.getBean(type);
    }

    @Override
    public void close() {
      context.close();
    }
  }

  /**
   * Checks the settings of the log before they apply. A wrong level fails before Spring Boot can
   * log its usual report. A log file that cannot be written is left out, with a warning.
   */
  static final class LoggingCheck
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
        environment
            .getPropertySources()
            .addFirst(new MapPropertySource("no wrong level", replaced));
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

  /** Explains why the application did not start, with Spring Boot's failure analyzers. */
  static final class StartupFailure {
    private StartupFailure() {}

    /**
     * @param context the unfinished context; null if the failure came before it
     */
    static UserError of(
        RuntimeException failure,
        @Nullable ConfigurableApplicationContext context,
        WrongValue wrongValue) {
      if (failure instanceof UserError error) {
        return error;
      }
      WrongSetting wrong = find(failure, WrongSetting.class);
      if (wrong != null) {
        Environment environment = context == null ? null : context.getEnvironment();
        return UserError.badInput(wrongValue.said(wrong, environment), failure);
      }
      BindException unbound = find(failure, BindException.class);
      if (unbound != null) {
        return UserError.badInput(wrongValue.said(unbound), failure);
      }
      if (context != null) {
        for (FailureAnalyzer analyzer : analyzers(context)) {
          FailureAnalysis analysis = analyzer.analyze(failure);
          if (analysis != null) {
            return error(Sentence.verbatim(sentence(analysis)), failure);
          }
        }
      }
      Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
      return error(
          new CommandSentences.NotStarted(
              Refusal.said(cause), new CommandSentences.ShowsMore("--verbose")),
          failure);
    }

    private static UserError error(Sentence message, RuntimeException failure) {
      return isServer(failure)
          ? UserError.unreachable(message, failure)
          : UserError.failed(message, failure);
    }

    /** Whether another start fails in the same way until somebody corrects a setting. */
    static boolean isWrongSetting(RuntimeException failure) {
      return find(failure, BindException.class) != null
          || find(failure, WrongSetting.class) != null;
    }

    /** Whether PostgreSQL or Redis cannot be reached or used. */
    private static boolean isServer(RuntimeException failure) {
      SQLException refused = find(failure, SQLException.class);
      return PostgresUnavailable.in(failure) != null
          || refused != null && PostgresUnavailable.hasRemedy(refused)
          || find(failure, ServersUnavailable.class) != null
          || find(failure, RedisUnavailable.class) != null;
    }

    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        if (type.isInstance(cause)) {
          return type.cast(cause);
        }
      }
      return null;
    }

    private static Iterable<FailureAnalyzer> analyzers(ConfigurableApplicationContext context) {
      var arguments =
          ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
              .and(Environment.class, context.getEnvironment());
      FailureHandler ignore = (type, name, failure) -> {};
      return SpringFactoriesLoader.forDefaultResourceLocation(context.getClassLoader())
          .load(FailureAnalyzer.class, arguments, ignore);
    }

    private static String sentence(FailureAnalysis analysis) {
      String description = analysis.getDescription().strip();
      String action = analysis.getAction();
      if (action == null) {
        return description;
      }
      // Errors of other programs end without a full stop.
      String between =
          description.endsWith("。") ? "" : description.matches("(?s).*[.:!?]") ? " " : ". ";
      return description + between + action.strip();
    }
  }
}
