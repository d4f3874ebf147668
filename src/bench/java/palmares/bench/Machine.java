package palmares.bench;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the machine that runs the benchmark. */
public final class Machine {
  private static final double GIGABYTE = 1e9;

  private Machine() {}

  /** Its properties by name, as strings and numbers. */
  public static Map<String, Object> describe() {
    var properties = new LinkedHashMap<String, Object>();
    properties.put("cores", Runtime.getRuntime().availableProcessors());
    properties.put("memory_gb", memory());
    properties.put("heap_mb", Runtime.getRuntime().maxMemory() >> 20);
    properties.put("java", System.getProperty("java.version"));
    properties.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    return properties;
  }

  private static double memory() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean sun
        ? Math.round(sun.getTotalMemorySize() / GIGABYTE * 10) / 10.0
        : 0;
  }
}
