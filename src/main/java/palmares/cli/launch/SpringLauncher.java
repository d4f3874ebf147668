package palmares.cli.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.BeansException;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.period.Lease;

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
          WrongValue.requirePorts(context.getEnvironment());
          if (!serves(launch)) {
            ShortCommands.startExistingBeansOnly(context);
          }
          launch
              .beans()
              .forEach(
                  (type, bean) -> context.getBeanFactory().registerSingleton(type.getName(), bean));
        });
    try {
      return new Started(spring.run(arguments(launch)));
    } catch (RuntimeException e) {
      throw StartupFailure.of(e, seen.get());
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
    properties.put("palmares.writer.enabled", "" + launch.has(Part.WEB));
    if (!serves) {
      properties.put("spring.main.lazy-initialization", "true");
      properties.put(ShortCommands.PROPERTY, "true");
    }
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
      try {
        return context.getBean(type);
      } catch (BeansException e) {
        // The beans of a short command are created, and their settings read, when it asks for them.
        throw StartupFailure.isWrongSetting(e) ? StartupFailure.of(e, context) : e;
      }
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
