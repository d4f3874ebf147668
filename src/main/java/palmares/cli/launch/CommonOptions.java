package palmares.cli.launch;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has. */
public final class CommonOptions {
  static final String DEFAULT_DATA = "./data";

  private static final String PROFILE = "PALMARES_PROFILE";
  private static final String URL = "PALMARES_URL";

  private final Function<String, @Nullable String> environment;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description =
          "The folder of the embedded PostgreSQL and Redis, and of the server that runs on them"
              + " (default: ./data).")
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
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description =
          "The server to call, such as https://palmares.example.org (default: PALMARES_URL, that of"
              + " the profile, or the one that runs on --data).")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      scope = ScopeType.INHERIT,
      description =
          "The API key for --url. Other users of this machine can see it in the list of processes:"
              + " PALMARES_TOKEN or a profile keeps it to yourself.")
  private @Nullable String token;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description =
          "A server and its token from ~/.config/palmares/profiles, as NAME.url and NAME.token"
              + " (default: PALMARES_PROFILE).")
  private @Nullable String profile;

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

  public CommonOptions() {
    this(System::getenv);
  }

  /**
   * @param environment returns the value of a variable; null if it is not set
   */
  public CommonOptions(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  /**
   * The server that the call, the profile or the environment names, in this order; empty if none.
   *
   * @throws UserError if it cannot be used
   */
  Optional<Server> server() {
    String name = first(profile, environment.apply(PROFILE));
    if (url == null && name != null) {
      return Optional.of(Server.ofProfile(name, token));
    }
    String address = first(url, environment.apply(URL));
    return address == null
        ? Optional.empty()
        : Optional.of(Server.of(address, first(token, environment.apply("PALMARES_TOKEN"))));
  }

  /** The option that a server has no use for; null if none is given. */
  @Nullable String localOption() {
    return data != null ? "--data" : jobs != null ? "--jobs" : properties.isEmpty() ? null : "-D";
  }

  /** Whether the call says how a server runs that it starts. */
  boolean isForOwnServer() {
    return jobs != null || hasSettings();
  }

  /** Whether the call has settings of a server. */
  boolean hasSettings() {
    return !properties.isEmpty();
  }

  /** The data folder, which is the one in the working directory unless another is named. */
  Path data() {
    Path named = data != null ? data : path("palmares.data", "PALMARES_DATA");
    return named != null ? named : Path.of(DEFAULT_DATA);
  }

  /** The option that names a server; null if none is given. */
  @Nullable String serverOption() {
    return url != null ? "--url" : profile != null ? "--profile" : null;
  }

  /** The option or variable that names the server of {@link #server()}; null if none does. */
  @Nullable String serverSource() {
    return serverOption() != null
        ? serverOption()
        : first(null, environment.apply(PROFILE)) != null
            ? PROFILE
            : first(null, environment.apply(URL)) != null ? URL : null;
  }

  private static @Nullable String first(@Nullable String one, @Nullable String other) {
    return one != null ? one : other == null || other.isBlank() ? null : other;
  }

  /** Whether log lines and the stack traces of errors are shown. */
  public boolean verbose() {
    return verbose;
  }

  /** Whether the call asks for help, which is then all that it does. */
  public boolean help() {
    return help;
  }

  /** The language in which commands say what happened: Chinese or English, as the shell's is. */
  public Locale language() {
    return Stream.of("PALMARES_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
        .map(environment)
        .filter(name -> name != null && !name.isBlank())
        .findFirst()
        .filter(name -> name.startsWith("zh"))
        .map(name -> Locale.CHINESE)
        .orElse(Locale.ENGLISH);
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
            properties.get(property), System.getProperty(property), environment.apply(variable))
        .filter(value -> value != null && !value.isBlank())
        .findFirst()
        .orElse(null);
  }
}
