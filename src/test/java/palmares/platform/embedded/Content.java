package palmares.platform.embedded;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows in PostgreSQL and members of a set in Redis. */
record Content(EmbeddedServers servers) {
  void write(int rows) {
    sql("CREATE TABLE IF NOT EXISTS kept (id int PRIMARY KEY)");
    sql("INSERT INTO kept SELECT generate_series(1, %s) ON CONFLICT DO NOTHING".formatted(rows));
    try (RedisClient client = client();
        StatefulRedisConnection<String, String> redis = client.connect()) {
      for (int id = 1; id <= rows; id++) {
        redis.sync().sadd("kept", Integer.toString(id));
      }
    }
  }

  int rows() {
    return Integer.parseInt(setting("count(*) FROM kept"));
  }

  long members() {
    try (RedisClient client = client();
        StatefulRedisConnection<String, String> redis = client.connect()) {
      return redis.sync().scard("kept");
    }
  }

  String redisSetting(String name) {
    try (RedisClient client = client();
        StatefulRedisConnection<String, String> redis = client.connect()) {
      return String.valueOf(redis.sync().configGet(name).get(name));
    }
  }

  String setting(String expression) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + expression)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sql(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(servers.jdbcUrl(), servers.user(), servers.password());
  }

  private RedisClient client() {
    return RedisClient.create(
        RedisURI.builder()
            .withHost(servers.redisHost())
            .withPort(servers.redisPort())
            .withPassword(servers.password().toCharArray())
            .build());
  }
}
