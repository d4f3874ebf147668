package palmares.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A server that hangs, and does not die, keeps no period for longer than two minutes. */
@WorldTest
class HungSessionsTest {
  private static final String HUNG = "elsewhere:7";

  @Autowired private World world;
  @Autowired private HungSessions sessions;
  @Autowired private Leases leases;
  @Autowired private JdbcClient jdbc;
  @Autowired private JdbcConnectionDetails postgres;

  private Period day;

  @BeforeEach
  void aPeriodIsDue() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.due(day);
    jdbc.sql(
            """
            insert into node (name, process, roles, format, redis, started_at, seen_at)
            values ('hung', ?, '{scheduler}', 1, 'redis', ?, ?)
            """)
        .params(HUNG, world.now(), world.now())
        .update();
  }

  private Connection session(String application) throws SQLException {
    var properties = new Properties();
    properties.put("user", String.valueOf(postgres.getUsername()));
    properties.put("password", String.valueOf(postgres.getPassword()));
    properties.put("ApplicationName", application);
    properties.put("currentSchema", "palmares");
    Connection session = DriverManager.getConnection(postgres.getJdbcUrl(), properties);
    session.setAutoCommit(false);
    execute(session, "select from period where id = %s for no key update".formatted(day.id()));
    return session;
  }

  private static void execute(Connection session, String sql) throws SQLException {
    try (var statement = session.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Until PostgreSQL waits for what the session does next. */
  private void awaitIdle(String application) {
    await()
        .until(
            () ->
                jdbc.sql(
                            """
                            select count(*) from pg_stat_activity
                            where application_name = ? and wait_event_type = 'Client'
                            """)
                        .param(application)
                        .query(Long.class)
                        .single()
                    == 1);
  }

  @Test
  void thePeriodOfAServerThatHangsInACopyIsFreeAfterAMinuteWithoutAHeartbeat() throws Exception {
    Connection hung = session("palmares " + HUNG);
    try {
      var copy =
          hung.unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("copy node (name, process) from stdin");
      byte[] half = "half of a li".getBytes(StandardCharsets.UTF_8);
      copy.writeToCopy(half, 0, half.length);
      copy.flushCopy();
      awaitIdle("palmares " + HUNG);
      world.pass(Duration.ofMillis(59_999));
      assertThat(sessions.end()).isZero();
      assertThat(leases.take(day.id(), "another")).isEmpty();

      world.pass(Duration.ofMillis(1));
      assertThat(sessions.end()).isOne();
      await().until(() -> leases.take(day.id(), "another").isPresent());
      assertThatThrownBy(copy::endCopy).isInstanceOf(SQLException.class);
    } finally {
      hung.abort(Runnable::run);
    }
  }

  @Test
  void theSessionsOfAServerThatSendsHeartbeatsAndOfPeopleAreLeftAlone() throws SQLException {
    try (Connection alive = session("palmares alive:8");
        Connection person =
            DriverManager.getConnection(
                postgres.getJdbcUrl(), postgres.getUsername(), postgres.getPassword())) {
      person.setAutoCommit(false);
      execute(person, "set application_name = 'psql'");
      execute(person, "select from palmares.node");
      awaitIdle("palmares alive:8");
      awaitIdle("psql");
      world.pass(Duration.ofMinutes(5));
      jdbc.sql(
              """
              insert into node (name, process, roles, format, redis, started_at, seen_at)
              values
                ('alive', 'alive:8', '{scheduler}', 1, 'redis', :now, :now),
                ('its former name', 'alive:8', '{scheduler}', 1, 'redis', :now, :before)
              """)
          .param("now", world.now())
          .param("before", world.now().minusSeconds(300))
          .update();
      assertThat(sessions.end()).isZero();
      execute(alive, "select 1");
      execute(person, "select 1");
    }
  }

  /** By which a session is found. */
  @Test
  void eachConnectionNamesItsProcess() {
    Set<String> names =
        new HashSet<>(
            jdbc.sql("select current_setting('application_name')").query(String.class).list());
    assertThat(names).containsExactly(ThisProcess.APPLICATION);
  }
}
