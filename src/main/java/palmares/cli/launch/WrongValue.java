package palmares.cli.launch;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Sentence;

/** Says of a setting with a wrong value: its name, the value, what it must be, where it was set. */
final class WrongValue {
  private static final List<String> PORTS = List.of("server.port", "management.server.port");
  private static final int MAX_PORT = 65_535;

  /** How the message of a settings record begins. */
  private static final Pattern OWN_NAME = Pattern.compile("palmares(\\.[a-z][a-z0-9-]*)+");

  private WrongValue() {}

  /** One sentence. A settings record says itself what is wrong; other values have a type. */
  static String sentence(BindException wrong, @Nullable Environment environment) {
    for (Throwable cause = wrong.getCause(); cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      Matcher name = OWN_NAME.matcher(message);
      if (name.lookingAt()) {
        return environment == null ? message : message + where(name.group(), environment);
      }
    }
    ConfigurationProperty property = wrong.getProperty();
    if (property == null || !property.getName().equals(wrong.getName())) {
      return "%s: %s"
          .formatted(
              wrong.getName(), NestedExceptionUtils.getMostSpecificCause(wrong).getMessage());
    }
    return "%s is '%s', %s%s"
        .formatted(
            property.getName(),
            property.getValue(),
            expected(wrong.getTarget().getType().resolve(Object.class)),
            where(property.getOrigin()));
  }

  /**
   * Checks what would otherwise fail without a name, when the port is opened.
   *
   * @throws UserError if a port is no port
   */
  static void requirePorts(Environment environment) {
    for (String name : PORTS) {
      String value = environment.getProperty(name, "").strip();
      // -1 opens none; a text is refused when it is bound.
      if (value.matches("-?\\d+")
          && (value.length() > 9
              || Integer.parseInt(value) > MAX_PORT
              || Integer.parseInt(value) < -1)) {
        throw UserError.badInput(
            Sentence.verbatim(
                "%s is '%s', and must be a port, 0 to %d%s"
                    .formatted(name, value, MAX_PORT, where(name, environment))));
      }
    }
  }

  private static String expected(Class<?> type) {
    Class<?> kind = ClassUtils.resolvePrimitiveIfNecessary(type);
    if (kind.isEnum()) {
      return Stream.of(kind.getEnumConstants())
          .map(constant -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
          .collect(Collectors.joining(", ", "and must be one of ", ""));
    }
    if (kind == Boolean.class) {
      return "and must be true or false";
    }
    if (kind == Double.class || kind == Float.class) {
      return "and must be a number";
    }
    if (Number.class.isAssignableFrom(kind)) {
      return "and must be a whole number";
    }
    if (kind == Duration.class) {
      return "and must be a duration such as 30s or 10m";
    }
    if (kind == DataSize.class) {
      return "and must be a size such as 64KB or 40MB";
    }
    return kind == URI.class
        ? "and must be an address such as https://host/path"
        : "which has not the form that is needed";
  }

  private static String where(String name, Environment environment) {
    var asked = ConfigurationPropertyName.of(name);
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty property = source.getConfigurationProperty(asked);
      if (property != null) {
        return where(property.getOrigin());
      }
    }
    return "";
  }

  private static String where(@Nullable Origin origin) {
    if (origin instanceof PropertySourceOrigin set) {
      if (set.getPropertySource() instanceof CommandLinePropertySource<?>) {
        return " (an option of this call)";
      }
      if (set.getPropertySource() instanceof SystemEnvironmentPropertySource) {
        return " (the environment variable %s)".formatted(set.getPropertyName());
      }
    }
    return origin == null ? "" : " (" + origin + ")";
  }
}
