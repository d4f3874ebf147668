package palmares.testing;

import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import palmares.Palmares;

/** A server whose connections to PostgreSQL and Redis a test can cut. */
public final class ProxiedServer implements AutoCloseable {
  private final Proxy postgres;
  private final Proxy redis;
  private final ConfigurableApplicationContext application;

  /**
   * Starts a server on the same PostgreSQL and Redis as another application.
   *
   * @param settings such as {@code --palmares.journal.drain=true}
   */
  public ProxiedServer(ApplicationContext other, String... settings) throws IOException {
    var database = other.getBean(JdbcConnectionDetails.class);
    var details = other.getBean(DataRedisConnectionDetails.class);
    var url = URI.create(database.getJdbcUrl().substring("jdbc:".length()));
    var node = Objects.requireNonNull(details.getStandalone());
    postgres = Proxy.to(url.getHost(), url.getPort());
    redis = Proxy.to(node.getHost(), node.getPort());
    String rest = database.getJdbcUrl().substring(database.getJdbcUrl().indexOf(url.getRawPath()));
    application =
        new SpringApplicationBuilder(Palmares.class)
            .web(WebApplicationType.SERVLET)
            .run(
                Stream.concat(
                        Stream.of(
                            "--server.port=0",
                            "--palmares.infra=external",
                            "--palmares.data=target/servers-of-tests/" + UUID.randomUUID(),
                            "--spring.datasource.url=jdbc:postgresql://127.0.0.1:"
                                + postgres.port()
                                + rest,
                            "--spring.datasource.username=" + database.getUsername(),
                            "--spring.datasource.password=" + database.getPassword(),
                            "--spring.datasource.hikari.connection-timeout=500",
                            "--spring.datasource.hikari.validation-timeout=250",
                            "--spring.data.redis.host=127.0.0.1",
                            "--spring.data.redis.port=" + redis.port(),
                            "--spring.data.redis.password="
                                + Objects.toString(details.getPassword(), ""),
                            "--spring.data.redis.timeout=500ms"),
                        Stream.of(settings))
                    .toArray(String[]::new));
  }

  public Proxy postgres() {
    return postgres;
  }

  public Proxy redis() {
    return redis;
  }

  public ConfigurableApplicationContext application() {
    return application;
  }

  public int port() {
    var server = ((WebServerApplicationContext) application).getWebServer();
    return Objects.requireNonNull(server).getPort();
  }

  @Override
  public void close() throws IOException {
    postgres.restore();
    redis.restore();
    application.close();
    postgres.close();
    redis.close();
  }
}
