package palmares.bench.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.WrongResult;
import palmares.bench.gauge.CoreWaitGauge;

/** The PostgreSQL and Redis of an application, which others use too. */
final class Stores {
  private static final String DATABASE = "palmares_bench_cluster";
  private static final String URL = "spring.data.redis.url";

  private final JdbcConnectionDetails postgres;
  private final DataRedisConnectionDetails redis;
  private final RedisConnectionFactory connections;
  private final JdbcClient jdbc;
  private final Environment environment;

  Stores(Beans beans) {
    this.postgres = beans.get(JdbcConnectionDetails.class);
    this.redis = beans.get(DataRedisConnectionDetails.class);
    this.connections = beans.get(RedisConnectionFactory.class);
    this.jdbc = beans.get(JdbcClient.class);
    this.environment = beans.get(Environment.class);
  }

  /**
   * The properties of an application that uses both.
   *
   * @throws WrongResult if Redis is a cluster, is found by sentinels, has TLS, or is named by a URL
   */
  Map<String, String> same() {
    return same(postgres, redis, environment);
  }

  static Map<String, String> same(
      JdbcConnectionDetails postgres, DataRedisConnectionDetails redis, Environment environment) {
    Standalone one = redis.getStandalone();
    if (one == null || redis.getCluster() != null || redis.getSentinel() != null) {
      throw new WrongResult(
          "nodes compares a cluster with one Redis; name one by spring.data.redis.host, or none");
    }
    if (environment.containsProperty(URL)) {
      // Other processes may inherit it, and then it would count for the cluster, too.
      throw new WrongResult("nodes cannot use %s; set spring.data.redis.host".formatted(URL));
    }
    if (redis.getSslBundle() != null) {
      throw new WrongResult(
          "nodes starts other processes without the certificates of this one; name a Redis without"
              + " TLS, or none");
    }
    var properties = new HashMap<String, String>();
    properties.put("palmares.infra", "external");
    properties.put("spring.datasource.url", postgres.getJdbcUrl());
    properties.put("spring.datasource.username", Objects.toString(postgres.getUsername(), ""));
    properties.put("spring.datasource.password", Objects.toString(postgres.getPassword(), ""));
    properties.put("spring.data.redis.host", one.getHost());
    properties.put("spring.data.redis.port", "" + one.getPort());
    properties.put("spring.data.redis.database", "" + one.getDatabase());
    properties.put("spring.data.redis.username", Objects.toString(redis.getUsername(), ""));
    properties.put("spring.data.redis.password", Objects.toString(redis.getPassword(), ""));
    return properties;
  }

  /**
   * The process of the one Redis, if it is embedded, so that nobody else needs its speed.
   *
   * @param folder of the benchmark's embedded servers
   */
  OptionalLong startedRedis(Path folder) throws IOException {
    Optional<Long> here = CoreWaitGauge.pidHere(connections);
    if (here.isEmpty()) {
      return OptionalLong.empty();
    }
    Path used = Path.of("/proc", "" + here.get(), "cwd");
    return used.toRealPath().startsWith(folder.toRealPath())
        ? OptionalLong.of(here.get())
        : OptionalLong.empty();
  }

  /** Starts a replica of the one Redis, as each master of a cluster has one. */
  RedisReplica replica(Path parent) throws IOException {
    return RedisReplica.of(parent, same());
  }

  /**
   * Creates another database, for an application on a cluster; a killed run may have left it.
   *
   * @throws WrongResult as {@link #same}
   */
  Map<String, String> with(RedisCluster cluster) {
    Map<String, String> properties = same();
    dropDatabase();
    jdbc.sql("create database " + DATABASE).update();
    properties.put(
        "spring.datasource.url",
        postgres.getJdbcUrl().replaceFirst("^([^?]*/)[^/?]*", "$1" + DATABASE));
    properties.put("spring.data.redis.database", "0");
    properties.put("spring.data.redis.cluster.nodes", cluster.addresses());
    properties.put("spring.data.redis.username", "");
    properties.put("spring.data.redis.password", "");
    return properties;
  }

  /** Drops what {@link #with} has created. */
  void dropDatabase() {
    jdbc.sql("drop database if exists " + DATABASE + " with (force)").update();
  }
}
