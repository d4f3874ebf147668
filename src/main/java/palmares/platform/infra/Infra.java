package palmares.platform.infra;

import java.util.List;
import java.util.Locale;
import org.springframework.core.env.Environment;
import palmares.platform.embedded.ServersUnavailable;

/** Where PostgreSQL and Redis come from: the property {@code palmares.infra}. */
enum Infra {
  /** Started here; the default when neither server is named. */
  EMBEDDED,
  /** The user's own; the default when both are named. */
  EXTERNAL,
  /** Of the tests, which contribute the connection details themselves. */
  CONTAINERS;

  private static final String PROPERTY = "palmares.infra";
  private static final List<String> REDIS =
      List.of(
          "spring.data.redis.url",
          "spring.data.redis.host",
          "spring.data.redis.sentinel.master",
          "spring.data.redis.cluster.nodes");

  static Infra of(Environment environment) {
    String asked = environment.getProperty(PROPERTY, "");
    return asked.isBlank() ? fromWhatIsNamed(environment) : parse(asked);
  }

  private static Infra parse(String asked) {
    try {
      return valueOf(asked.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ServersUnavailable(
          "%s is '%s', which is none of embedded, external, containers.".formatted(PROPERTY, asked),
          "Set one of these, or leave it out.",
          e);
    }
  }

  private static Infra fromWhatIsNamed(Environment environment) {
    boolean postgres = environment.containsProperty("spring.datasource.url");
    boolean redis =
        REDIS.stream()
            .anyMatch(
                name ->
                    environment.containsProperty(name)
                        || environment.containsProperty(name + "[0]"));
    if (postgres != redis) {
      throw new ServersUnavailable(
          postgres
              ? "spring.datasource.url names a PostgreSQL,"
                  + " but no spring.data.redis.* names a Redis."
              : "spring.data.redis.* names a Redis,"
                  + " but no spring.datasource.url names a PostgreSQL.",
          "Name both to use servers of your own, or none to use the embedded ones.");
    }
    return postgres ? EXTERNAL : EMBEDDED;
  }
}
