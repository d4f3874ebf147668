package palmares.platform.infra;

import java.util.List;
import java.util.Locale;
import org.springframework.core.env.Environment;
import palmares.platform.embedded.ServersUnavailable;

/** Says where PostgreSQL and Redis run, by the property {@code palmares.infra}. */
enum Infra {
  /** Started by Palmares; the default if neither server is configured. */
  EMBEDDED,
  /** Run by the user; the default if both servers are configured. */
  EXTERNAL,
  /** Run by the tests, which provide the connection details. */
  CONTAINERS;

  private static final String PROPERTY = "palmares.infra";
  private static final String POSTGRES = "spring.datasource.url";
  private static final String REDIS = "spring.data.redis.*";
  private static final List<String> REDIS_PROPERTIES =
      List.of(
          "spring.data.redis.url",
          "spring.data.redis.host",
          "spring.data.redis.sentinel.master",
          "spring.data.redis.cluster.nodes");

  /** Spring would use one of them, and ignore the others. */
  private static final List<List<String>> REDIS_KINDS =
      List.of(
          List.of("spring.data.redis.url", "spring.data.redis.host"),
          List.of("spring.data.redis.sentinel.master"),
          List.of("spring.data.redis.cluster.nodes"));

  static Infra of(Environment environment) {
    requireOneRedis(environment);
    String value = environment.getProperty(PROPERTY, "");
    return value.isBlank() ? fromConnectionProperties(environment) : parse(value);
  }

  private static void requireOneRedis(Environment environment) {
    List<String> named =
        REDIS_KINDS.stream()
            .flatMap(kind -> kind.stream().filter(name -> isSet(environment, name)).limit(1))
            .toList();
    if (named.size() > 1) {
      throw new ServersUnavailable(
          new StoreSentences.SeveralRedis(named.get(0), named.get(1)),
          new StoreSentences.SetOneRedis());
    }
  }

  /** An empty value takes the place of one that another file sets. */
  private static boolean isSet(Environment environment, String name) {
    return !environment.getProperty(name, environment.getProperty(name + "[0]", "")).isBlank();
  }

  private static Infra parse(String value) {
    try {
      return valueOf(value.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ServersUnavailable(
          new StoreSentences.WrongInfra(PROPERTY, value), new StoreSentences.SetOneOfThese(), e);
    }
  }

  private static Infra fromConnectionProperties(Environment environment) {
    boolean hasPostgres = environment.containsProperty(POSTGRES);
    boolean hasRedis =
        REDIS_PROPERTIES.stream()
            .anyMatch(
                name ->
                    environment.containsProperty(name)
                        || environment.containsProperty(name + "[0]"));
    if (hasPostgres != hasRedis) {
      throw new ServersUnavailable(
          hasPostgres
              ? new StoreSentences.OneStoreOnly(POSTGRES, "PostgreSQL", REDIS, "Redis")
              : new StoreSentences.OneStoreOnly(REDIS, "Redis", POSTGRES, "PostgreSQL"),
          new StoreSentences.SetBoth());
    }
    return hasPostgres ? EXTERNAL : EMBEDDED;
  }
}
