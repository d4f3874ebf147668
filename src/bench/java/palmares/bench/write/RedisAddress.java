package palmares.bench.write;

import io.lettuce.core.RedisURI;
import java.util.Optional;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Where the application's Redis is, for clients that are none of the application's. */
record RedisAddress(String host, int port, int database, Optional<String> password) {

  /**
   * @throws IllegalArgumentException if it is a cluster, or found through sentinels
   */
  static RedisAddress of(LettuceConnectionFactory connections) {
    if (connections.isClusterAware() || connections.isRedisSentinelAware()) {
      throw new IllegalArgumentException(
          "writing is measured on one Redis: name it in spring.data.redis.host");
    }
    RedisStandaloneConfiguration one = connections.getStandaloneConfiguration();
    return new RedisAddress(
        one.getHostName(),
        one.getPort(),
        one.getDatabase(),
        one.getPassword().toOptional().map(String::new));
  }

  RedisURI uri() {
    RedisURI.Builder uri = RedisURI.builder().withHost(host).withPort(port).withDatabase(database);
    password.ifPresent(secret -> uri.withPassword(secret.toCharArray()));
    return uri.build();
  }

  /** As {@code redis://host:port}. */
  String url() {
    return "redis://" + host + ":" + port;
  }
}
