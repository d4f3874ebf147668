package palmares.cli.launch;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has. */
public final class CommonOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The folder of the embedded PostgreSQL and Redis (default: ./data).")
  private @Nullable Path data;

  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The folder of the board files (default: ./jobs).")
  private @Nullable Path jobs;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      scope = ScopeType.INHERIT,
      description =
          "Sets a property, such as -D spring.datasource.url=jdbc:postgresql://db/palmares;"
              + " src/docs/configuration.md lists ours.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Shows log lines, and the stack trace of an error.")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  /** Whether log lines and the stack traces of errors are shown. */
  public boolean verbose() {
    return verbose;
  }

  /** Whether the call asks for help, which is then all that it does. */
  public boolean help() {
    return help;
  }

  @Nullable Path jobs() {
    return jobs != null ? jobs : path("palmares.jobs", "PALMARES_JOBS");
  }

  Map<String, String> properties() {
    var all = new LinkedHashMap<>(properties);
    if (data != null) {
      all.put("palmares.data", data.toString());
    }
    return all;
  }

  private @Nullable Path path(String property, String variable) {
    String value = setting(property, variable);
    return value == null ? null : Path.of(value);
  }

  /**
   * A setting that is needed before Spring starts: of the call, of Java, or of the environment;
   * null if it is not set.
   */
  @Nullable String setting(String property, String variable) {
    return Stream.of(
            properties.get(property), System.getProperty(property), System.getenv(variable))
        .filter(value -> value != null && !value.isBlank())
        .findFirst()
        .orElse(null);
  }
}
