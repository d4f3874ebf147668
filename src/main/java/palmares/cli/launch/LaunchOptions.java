package palmares.cli.launch;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Says how the application runs. Each {@code with} returns a changed copy.
 *
 * @param purpose the name of this process for others; only {@code server} does not wait for the end
 *     of another process that runs embedded servers in the same folder
 * @param properties Spring properties, which no other source overrides
 * @param definitions the names of those properties that an option {@code -D} of the call has set
 * @param beans that replace those of the same type
 */
public record LaunchOptions(
    String purpose,
    Set<Part> parts,
    Map<String, String> properties,
    Set<String> definitions,
    Map<Class<?>, Object> beans) {

  /** An optional part of the application. */
  public enum Part {
    /** The HTTP API. */
    WEB,
    /** The management port: health, metrics and information about the process. */
    MANAGEMENT,
    /** Quartz. */
    SCHEDULER,
    /** Log lines of level info, not only warnings and errors. */
    LOG
  }

  /** No HTTP, no scheduler, warnings only in the log. */
  public static LaunchOptions of(String purpose) {
    return new LaunchOptions(purpose, EnumSet.noneOf(Part.class), Map.of(), Set.of(), Map.of());
  }

  /** As {@link #of}, for commands that close periods and print their failures themselves. */
  public static LaunchOptions closing(String purpose) {
    return of(purpose)
        .with("logging.level.palmares.settlement.closing", "off")
        .with("logging.level.org.springframework.batch", "off");
  }

  /**
   * A server for one command, which only this machine reaches. Its settings are not those of the
   * installation, and of the work in the background it only drains the journals that imports fill.
   */
  static LaunchOptions ofCommand() {
    return closing("command")
        .with(Part.WEB)
        .with("server.address", "127.0.0.1")
        .with("server.port", "0")
        .with("management.server.port", "-1")
        .with("palmares.writer.enabled", "false")
        .with("palmares.relay.background", "false")
        .with("palmares.signals.background", "false");
  }

  public LaunchOptions with(Part part) {
    var more = EnumSet.of(part);
    more.addAll(parts);
    return new LaunchOptions(purpose, more, properties, definitions, beans);
  }

  /** Sets a Spring property, which no other source overrides. */
  public LaunchOptions with(String property, String value) {
    return new LaunchOptions(purpose, parts, plus(properties, property, value), definitions, beans);
  }

  /** Sets the properties of the options {@code -D}, but those that are set already. */
  LaunchOptions define(Map<String, String> options) {
    var all = new LinkedHashMap<>(options);
    all.putAll(properties);
    var definitions = new LinkedHashSet<>(options.keySet());
    definitions.removeAll(properties.keySet());
    return new LaunchOptions(
        purpose,
        parts,
        Collections.unmodifiableMap(all),
        Collections.unmodifiableSet(definitions),
        beans);
  }

  /** Replaces the bean of a type, such as the clock. */
  public <T> LaunchOptions with(Class<T> type, T bean) {
    return new LaunchOptions(purpose, parts, properties, definitions, plus(beans, type, bean));
  }

  boolean has(Part part) {
    return parts.contains(part);
  }

  private static <K, V> Map<K, V> plus(Map<K, V> map, K key, V value) {
    var more = new LinkedHashMap<>(map);
    more.put(key, value);
    return Collections.unmodifiableMap(more);
  }
}
