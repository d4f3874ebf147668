package palmares.testing;

import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import palmares.Palmares;

/** Another process on the same servers, whose answers from Redis a test can keep back. */
public final class Elsewhere implements AutoCloseable {
  private final @Nullable Proxy redis;
  private final ConfigurableApplicationContext application;

  private Elsewhere(@Nullable Proxy redis, ConfigurableApplicationContext application) {
    this.redis = redis;
    this.application = application;
  }

  /**
   * Its clock is moved as that of every test; it gives Redis up after 300 milliseconds.
   *
   * @param settings more of them, each as {@code --name=value}
   */
  public static Elsewhere start(
      JdbcConnectionDetails postgres, DataRedisConnectionDetails redis, String... settings)
      throws IOException {
    var node = Objects.requireNonNull(redis.getStandalone());
    Proxy proxy = Proxy.to(node.getHost(), node.getPort());
    return new Elsewhere(
        proxy,
        run(
            postgres,
            Stream.concat(
                Stream.of(
                    "--spring.data.redis.host=127.0.0.1",
                    "--spring.data.redis.port=" + proxy.port(),
                    "--spring.data.redis.password=" + Objects.toString(redis.getPassword(), "")),
                Stream.of(settings))));
  }

  /** As {@link #start}, with another Redis that the settings name. */
  public static Elsewhere on(JdbcConnectionDetails postgres, String... settings) {
    return new Elsewhere(null, run(postgres, Stream.of(settings)));
  }

  private static ConfigurableApplicationContext run(
      JdbcConnectionDetails postgres, Stream<String> settings) {
    return new SpringApplicationBuilder(Palmares.class)
        .web(WebApplicationType.NONE)
        .initializers(new MovedClock())
        .properties("palmares.live.answer-timeout=300ms")
        .run(
            Stream.concat(
                    Stream.of(
                        "--palmares.infra=external",
                        "--spring.datasource.url=" + postgres.getJdbcUrl(),
                        "--spring.datasource.username=" + postgres.getUsername(),
                        "--spring.datasource.password=" + postgres.getPassword()),
                    settings)
                .toArray(String[]::new));
  }

  public <T> T get(Class<T> bean) {
    return application.getBean(bean);
  }

  public <T> T get(String name, Class<T> bean) {
    return application.getBean(name, bean);
  }

  /** With no board of an earlier test. */
  public World begin(Instant now) {
    get(TestBoards.class).begin();
    World world = get(World.class);
    world.now(now);
    return world;
  }

  /** Redis does what this process asks for, and does not answer. */
  public void stallRedis() {
    Objects.requireNonNull(redis).holdAnswers();
  }

  public void resumeRedis() {
    Objects.requireNonNull(redis).restore();
  }

  @Override
  public void close() throws IOException {
    if (redis != null) {
      redis.restore();
    }
    application.close();
    if (redis != null) {
      redis.close();
    }
  }
}
