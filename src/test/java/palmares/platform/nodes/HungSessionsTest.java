package palmares.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** After the start of each session, which PostgreSQL counts by the machine's clock. */
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  @Autowired private World world;
  @Autowired private Leases leases;
  @Autowired private JdbcClient jdbc;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private Clock clock;

  private HungSessions sessions;
  private Period day;

  @BeforeEach
  void aPeriodIsDue() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.now(LATER);
    sessions = new HungSessions(jdbc, clock);
    jdbc.sql(
            """
            insert into node (name, process, roles, format, redis, started_at, seen_at)
            values ('hung', ?, '{scheduler}', 1, 'redis', ?, ?)
            """)
        .params(HUNG, world.now(), world.now())
        .update();
  }

  /** The heartbeats of this server during the time, the last one at its end. */
  private void beatFor(Duration time) {
    Instant end = world.now().plus(time);
    while (world.now().isBefore(end)) {
      assertThat(sessions.end()).isZero();
      Duration rest = Duration.between(world.now(), end);
      world.pass(rest.compareTo(INTERVAL) < 0 ? rest : INTERVAL);
    }
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
      beatFor(Duration.ofMillis(59_999));
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

  /**
   * PostgreSQL has hung, or its clock was set: then all are silent by the first heartbeat after.
   */
  @Test
  void aServerJudgesNoOtherUntilItsOwnHeartbeatsWereSentForAMinute() throws SQLException {
    try (Connection silent = session("palmares " + HUNG)) {
      awaitIdle("palmares " + HUNG);
      beatFor(Duration.ofMinutes(1).minusMillis(1));
      world.pass(Duration.ofSeconds(70));
      assertThat(sessions.end()).isZero();
      world.pass(Duration.ofHours(-1));
      assertThat(sessions.end()).isZero();
      world.pass(Duration.ofHours(1));
      beatFor(Duration.ofMinutes(1));
      execute(silent, "select 1");
      awaitIdle("palmares " + HUNG);
      assertThat(sessions.end()).isOne();
      silent.abort(Runnable::run);
    }
  }

  /** A container that restarts has the name of its former process, and has sent nothing yet. */
  @Test
  void theSessionsOfAProcessThatStartedSinceAreLeftAlone() throws SQLException {
    jdbc.sql("update node set seen_at = '2000-01-01' where name = 'hung'").update();
    try (Connection starting = session("palmares " + HUNG)) {
      awaitIdle("palmares " + HUNG);
      beatFor(Duration.ofMinutes(1));
      assertThat(sessions.end()).isZero();
      execute(starting, "select 1");
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
      beatFor(Duration.ofMinutes(5));
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
