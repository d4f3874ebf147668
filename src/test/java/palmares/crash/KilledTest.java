package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import palmares.crash.Command.Signal;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.embedded.EmbeddedServers.Access;

class KilledTest {
  /** How often each command is killed; a campaign asks for more: -Dtests.kills=100. */
  private static final int KILLS = Integer.getInteger("tests.kills", 1);

  private static final long SEED = 20261121;
  private static final int EVENTS = 6_000;
  private static final int DAYS = 60;
  private static final Instant FIRST = Instant.parse("2025-01-01T00:00:00Z");

  private static final String BOARD =
      """
      title: The race
      period: day
      clock: event
      actions:
        step: { points: 5, undo: true }
      max-points: 100000
      rewards:
        - rule: prizes
          ranks: { 1: 100, 2-3: 50 }
        - rule: each-step
          per: step
          credits: 2
      """;

  /** Money of a period that is not settled: nobody may see any at any moment. */
  private static final String TOO_EARLY =
      """
      select count(*) from transfer
      join period on period.board = transfer.board and period.name = transfer.period
      where period.state not in ('settled', 'expired')
      """;

  /**
   * Where a closing is between two of its commits: in seal, in drain or fill, and in pay. Towards
   * the end, a state may pass between two queries: then the command is ended once all is settled.
   */
  private static final List<String> STATES = List.of("open", "sealed", "filled");

  private static final String IN_A_STEP =
      """
      select count(*) filter (where state in ('settled', 'expired')) >= %d
        and (count(*) filter (where state in ('settled', 'expired')) >= %d
          or count(*) filter (where state = '%s' and lease_owner is not null) > 0)
      from period
      """;

  @ParameterizedTest(name = "own tables from {0} members on, by SIG{1}")
  @CsvSource({"5000, KILL", "1, KILL", "5000, TERM", "1, TERM"})
  void anImportAndAClosingThatAreKilledInTheMiddleEndAsIfNobodyHadTouchedThem(
      String ownTablesFrom, Signal signal, @TempDir Path calm, @TempDir Path troubled)
      throws IOException, InterruptedException {
    Map<String, String> settings = Map.of("PALMARES_HISTORY_OWN_TABLES_FROM", ownTablesFrom);
    String undisturbed = history(calm, settings, signal, 0);

    assertThat(history(troubled, settings, signal, KILLS)).isEqualTo(undisturbed);
    assertThat(undisturbed)
        .contains("verified: 60 periods")
        .contains("0 missing, 0 extra, 0 unequal");
  }

  /**
   * From the file to the report, both commands killed on the way: the import as periods open, the
   * closings once in each of the states in turn.
   */
  private static String history(Path folder, Map<String, String> settings, Signal signal, int kills)
      throws IOException, InterruptedException {
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    Files.writeString(jobs.resolve("race.yml"), BOARD);
    Path events = folder.resolve("events.ndjson");
    Files.writeString(events, events());
    for (int i = 1; i <= kills; i++) {
      int enough = DAYS * i / (kills + 1);
      killWhen(
          folder,
          settings,
          signal,
          "select count(*) >= %d from period".formatted(enough),
          "import",
          events.toString(),
          "--jobs",
          jobs.toString());
    }
    run(folder, settings, "import", events.toString(), "--jobs", jobs.toString());
    for (int i = 1; i <= kills; i++) {
      int enough = DAYS * i / (kills + 1);
      killWhen(
          folder,
          settings,
          signal,
          IN_A_STEP.formatted(enough, DAYS, STATES.get(i % STATES.size())),
          "close",
          "--due",
          "--jobs",
          jobs.toString());
    }
    run(folder, settings, "close", "--due", "--jobs", jobs.toString());
    return run(
            folder,
            settings,
            "report",
            "race",
            "--all",
            "--format",
            "csv",
            "--jobs",
            jobs.toString())
        + run(folder, settings, "verify", "--jobs", jobs.toString())
            .lines()
            .filter(line -> line.startsWith("verified: "))
            .toList();
  }

  private static String run(Path folder, Map<String, String> settings, String... arguments)
      throws IOException, InterruptedException {
    Command command = Command.start(folder, settings, arguments);
    String result = command.result();
    assertThat(result).as(command.notes()).startsWith("exit 0\n");
    return result;
  }

  /** Kills the command as soon as the database says so: in the middle of its work. */
  private static void killWhen(
      Path folder, Map<String, String> settings, Signal signal, String sql, String... arguments)
      throws IOException {
    Path data = folder.resolve("data");
    Command command = Command.start(folder, settings, arguments);
    until(command, () -> command.owns(data));
    // One connection for all queries: opening one for each would slow the command down.
    try (var connection = new Watching(EmbeddedServers.find(data).orElseThrow())) {
      var jdbc = JdbcClient.create(connection);
      until(
          command,
          () -> {
            try {
              boolean reached = jdbc.sql(sql).query(Boolean.class).single();
              assertThat(jdbc.sql(TOO_EARLY).query(Long.class).single()).isZero();
              return reached;
            } catch (DataAccessException e) {
              connection.resetConnection(); // A query that took too long has ended it.
              throw e;
            }
          });
      assertThat(command.lives()).as("killed in the middle: " + command.notes()).isTrue();
      command.end(signal);
    } finally {
      command.end(Signal.KILL);
    }
  }

  /** Keeps a connection until it is reset, and then opens another one. */
  private static final class Watching extends SingleConnectionDataSource {
    private final Access servers;

    Watching(Access servers) {
      this.servers = servers;
      setUrl(servers.jdbcUrl());
      setSuppressClose(true);
    }

    /** Not by DriverManager: a web server that another test stopped may have emptied it. */
    @Override
    protected Connection getConnectionFromDriver(Properties none) throws SQLException {
      var dataSource = new PGSimpleDataSource();
      dataSource.setUrl(servers.jdbcUrl());
      dataSource.setUser(servers.user());
      dataSource.setPassword(servers.password());
      dataSource.setConnectTimeout(10);
      dataSource.setSocketTimeout(10);
      return dataSource.getConnection();
    }
  }

  /** Also while the tables are not there yet; a starved machine may take minutes for it. */
  private static void until(Command command, Callable<Boolean> reached) throws IOException {
    var hindered = new AtomicReference<@Nullable Exception>();
    var seen = new AtomicBoolean();
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                boolean done = !command.lives();
                seen.set(look(reached, hindered));
                return seen.get() || done;
              });
    } catch (ConditionTimeoutException e) {
      throw neverReached(command, hindered.get(), e);
    }
    if (!seen.get()) {
      throw neverReached(command, hindered.get(), null);
    }
  }

  private static AssertionError neverReached(
      Command command, @Nullable Exception hindered, @Nullable Exception timeout)
      throws IOException {
    return new AssertionError(
        "never reached, last hindered by %s; the command noted: %s"
            .formatted(hindered, command.notes()),
        timeout);
  }

  private static boolean look(
      Callable<Boolean> reached, AtomicReference<@Nullable Exception> hindered) {
    try {
      return reached.call();
    } catch (Exception e) {
      hindered.set(e);
      return false;
    }
  }

  private static String events() {
    var random = new Random(SEED);
    var text = new StringBuilder();
    for (int i = 0; i < EVENTS; i++) {
      text.append(
          """
          {"id":"e%d","member":"m%d","action":"step","subject":"s%d","undo":%s,"occurredAt":"%s"}
          """
              .formatted(
                  i,
                  random.nextInt(40),
                  random.nextInt(20),
                  random.nextInt(5) == 0,
                  FIRST.plusSeconds((long) i * DAYS * 86_400 / EVENTS)));
    }
    return text.toString();
  }
}
