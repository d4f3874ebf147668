package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.embedded.EmbeddedServers;

class KilledTest {
  /** How often each command is killed; a campaign asks for more: -Dpalmares.kills=100. */
  private static final int KILLS = Integer.getInteger("palmares.kills", 1);

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

  @Test
  void anImportAndAClosingThatAreKilledInTheMiddleEndAsIfNobodyHadTouchedThem(
      @TempDir Path calm, @TempDir Path troubled) throws IOException, InterruptedException {
    String undisturbed = history(calm, 0);

    assertThat(history(troubled, KILLS)).isEqualTo(undisturbed);
    assertThat(undisturbed)
        .contains("verified: 60 periods")
        .contains("0 missing, 0 extra, 0 unequal");
  }

  /** From the file to the report, both commands killed so often on the way. */
  private static String history(Path folder, int kills) throws IOException, InterruptedException {
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    Files.writeString(jobs.resolve("race.yml"), BOARD);
    Path events = folder.resolve("events.ndjson");
    Files.writeString(events, events());
    for (int i = 1; i <= kills; i++) {
      int enough = DAYS * i / (kills + 1);
      killWhen(
          folder,
          "select count(*) >= %d from period".formatted(enough),
          "import",
          events.toString(),
          "--jobs",
          jobs.toString());
    }
    run(folder, "import", events.toString(), "--jobs", jobs.toString());
    for (int i = 1; i <= kills; i++) {
      int enough = DAYS * i / (kills + 1);
      killWhen(
          folder,
          "select count(*) >= %d from period where state in ('settled', 'expired')"
              .formatted(enough),
          "close",
          "--due",
          "--jobs",
          jobs.toString());
    }
    run(folder, "close", "--due", "--jobs", jobs.toString());
    return run(folder, "report", "race", "--all", "--format", "csv", "--jobs", jobs.toString())
        + run(folder, "verify", "--jobs", jobs.toString());
  }

  private static String run(Path folder, String... arguments)
      throws IOException, InterruptedException {
    Command command = Command.start(folder, arguments);
    String result = command.result();
    assertThat(result).as(command.notes()).startsWith("exit 0\n");
    return result;
  }

  /** Kills the command as soon as the database says so: in the middle of its work. */
  private static void killWhen(Path folder, String sql, String... arguments) throws IOException {
    Path data = folder.resolve("data");
    Command command = Command.start(folder, arguments);
    // Whoever joined earlier would start the servers itself.
    until(() -> !command.lives() || command.owns(data));
    try (EmbeddedServers servers = EmbeddedServers.join(data, "watcher")) {
      // Not by DriverManager: a web server that another test stopped may have emptied it.
      var dataSource = new PGSimpleDataSource();
      dataSource.setUrl(servers.jdbcUrl());
      dataSource.setUser(servers.user());
      dataSource.setPassword(servers.password());
      dataSource.setConnectTimeout(2);
      dataSource.setSocketTimeout(2);
      var jdbc = JdbcClient.create(dataSource);
      until(() -> !command.lives() || jdbc.sql(sql).query(Boolean.class).single());
      assertThat(command.lives()).as("killed in the middle: " + command.notes()).isTrue();
    } finally {
      command.kill();
    }
  }

  /** Also while the tables are not there yet. */
  private static void until(Callable<Boolean> reached) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptions()
        .until(reached);
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
