package palmares.bench.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.WrongResult;

/** The PostgreSQL and Redis of an application, which others use too. */
final class Stores {
  private static final String DATABASE = "palmares_bench_cluster";

  private final JdbcConnectionDetails postgres;
  private final DataRedisConnectionDetails redis;
  private final JdbcClient jdbc;

  Stores(Beans beans) {
    this.postgres = beans.get(JdbcConnectionDetails.class);
    this.redis = beans.get(DataRedisConnectionDetails.class);
    this.jdbc = beans.get(JdbcClient.class);
  }

  /**
   * The properties of an application that uses both.
   *
   * @throws WrongResult if Redis is a cluster, or found by sentinels
   */
  Map<String, String> same() {
    Standalone one = redis.getStandalone();
    if (one == null || redis.getCluster() != null || redis.getSentinel() != null) {
      throw new WrongResult("nodes compares with one Redis, not with several that are named");
    }
    Map<String, String> properties = on(postgres.getJdbcUrl());
    properties.put("spring.data.redis.host", one.getHost());
    properties.put("spring.data.redis.port", "" + one.getPort());
    properties.put("spring.data.redis.password", Objects.toString(redis.getPassword(), ""));
    return properties;
  }

  /** Starts a replica of the one Redis, as each master of a cluster has one. */
  RedisReplica replica(Path parent) throws IOException {
    Map<String, String> one = same();
    return RedisReplica.of(
        parent,
        Objects.requireNonNull(one.get("spring.data.redis.host")),
        Integer.parseInt(Objects.requireNonNull(one.get("spring.data.redis.port"))),
        Objects.requireNonNull(one.get("spring.data.redis.password")));
  }

  /** Creates another database, for an application on a cluster. */
  Map<String, String> with(RedisCluster cluster) {
    jdbc.sql("create database " + DATABASE).update();
    Map<String, String> properties =
        on(postgres.getJdbcUrl().replaceFirst("^([^?]*/)[^/?]*", "$1" + DATABASE));
    properties.put("spring.data.redis.cluster.nodes", cluster.addresses());
    return properties;
  }

  private Map<String, String> on(String url) {
    var properties = new HashMap<String, String>();
    properties.put("palmares.infra", "external");
    properties.put("spring.datasource.url", url);
    properties.put("spring.datasource.username", Objects.toString(postgres.getUsername(), ""));
    properties.put("spring.datasource.password", Objects.toString(postgres.getPassword(), ""));
    return properties;
  }
}
