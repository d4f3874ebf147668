package palmares.cli.launch;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** How the application is to run for a command; each {@code with} answers a changed copy. */
public final class LaunchOptions {
  /** What runs beside the command itself. */
  public enum Part {
    /** The HTTP API. */
    WEB,
    /** The management port: health, metrics and information about the process. */
    MANAGEMENT,
    /** Quartz. */
    SCHEDULER,
    /** Log lines about what goes on, not only about what goes wrong. */
    LOG
  }

  private final String purpose;
  private final Set<Part> parts;
  private final Map<String, String> properties;
  private final Map<Class<?>, Object> beans;

  private LaunchOptions(
      String purpose,
      Set<Part> parts,
      Map<String, String> properties,
      Map<Class<?>, Object> beans) {
    this.purpose = purpose;
    this.parts = parts;
    this.properties = properties;
    this.beans = beans;
  }

  /**
   * A quick start for one piece of work: no web, no scheduler, a quiet log.
   *
   * @param purpose what others are told that this process is; {@code server} owns the embedded
   *     servers or fails, any other joins those that run
   */
  public static LaunchOptions of(String purpose) {
    return new LaunchOptions(purpose, EnumSet.noneOf(Part.class), Map.of(), Map.of());
  }

  /** As {@link #of}, for what closes periods: the command tells what fails, not the log as well. */
  public static LaunchOptions closing(String purpose) {
    return of(purpose)
        .with("logging.level.palmares.settlement.closing", "off")
        .with("logging.level.org.springframework.batch", "off");
  }

  public LaunchOptions with(Part part) {
    var more = EnumSet.of(part);
    more.addAll(parts);
    return new LaunchOptions(purpose, more, properties, beans);
  }

  /** A property of Spring's, which nothing else overrides. */
  public LaunchOptions with(String property, String value) {
    return new LaunchOptions(purpose, parts, plus(properties, property, value), beans);
  }

  /** An object in place of the application's own of that type, such as a clock. */
  public <T> LaunchOptions with(Class<T> type, T bean) {
    return new LaunchOptions(purpose, parts, properties, plus(beans, type, bean));
  }

  String purpose() {
    return purpose;
  }

  boolean has(Part part) {
    return parts.contains(part);
  }

  Map<String, String> properties() {
    return properties;
  }

  Map<Class<?>, Object> beans() {
    return beans;
  }

  private static <K, V> Map<K, V> plus(Map<K, V> map, K key, V value) {
    var more = new LinkedHashMap<>(map);
    more.put(key, value);
    return Collections.unmodifiableMap(more);
  }
}
