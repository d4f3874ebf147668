package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.embedded.EmbeddedServers;
import palmares.testing.FaultJournal;

/**
 * Three servers behind HAProxy are stopped and started again one after the other, as in an upgrade,
 * while callers send events. {@code -Dtests.restarts=9} restarts nine; the suite leaves it out.
 */
class RollingRestartTest {
  private static final int RESTARTS = Integer.getInteger("tests.restarts", 0);
  private static final int SERVERS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int EVENTS_A_SECOND = 200;
  private static final int MEMBERS = 20;
  private static final long SEED = 0;
  private static final LocalDate FIRST_DAY = LocalDate.parse("2026-11-20");

  private static final String BOARD =
      """
      title: Steps
      period: day
      actions: { step: 1 }
      max-points: 1000000
      rewards: [{ rule: first, ranks: { 1: 100 } }]
      """;

  @TempDir private Path folder;

  private String statistics = "";
  private final List<Victim> victims = new ArrayList<>();
  private final List<Integer> managementPorts = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private LocalDate day = FIRST_DAY;

  @Test
  void aRestartOfEachServerAnswersEveryCallAndLosesNothing() throws IOException {
    assumeThat(RESTARTS).as("restarts").isPositive();
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    Files.writeString(jobs.resolve("steps.yml"), BOARD);
    EmbeddedServers stores = EmbeddedServers.own(folder.resolve("data"), "tests");
    try {
      for (int i = 0; i < SERVERS; i++) {
        int management = freePort();
        managementPorts.add(management);
        victims.add(
            new Victim(
                folder.resolve("server-%d.log".formatted(i)),
                settings(stores, management),
                List.of("server", "--port", "" + freePort(), "--jobs", jobs.toString())));
        assertThat(victims.get(i).start(noon(), "")).isTrue();
      }
      String key = victims.get(0).ask("key\tann");
      int door = freePort();
      Process proxy = haproxy(door);
      try {
        URI events = URI.create("http://127.0.0.1:%d/api/v1/events".formatted(door));
        new FaultJournal("restarts", "a server behind HAProxy is stopped and started again", SEED)
            .rounds(RESTARTS, SERVERS, (restarts, seed) -> play(restarts, events, key, stores));
      } finally {
        proxy.destroyForcibly().onExit().join();
      }
    } finally {
      for (Victim victim : victims) {
        victim.close();
      }
      stores.close();
    }
  }

  private Instant noon() {
    return day.atTime(12, 0).toInstant(ZoneOffset.UTC);
  }

  /** Plays a day, and returns how many events were acknowledged. */
  private long play(int restarts, URI events, String key, EmbeddedServers stores)
      throws IOException {
    set(noon());
    var callers =
        new Callers(
            (n, attempt) -> events,
            n -> "{\"id\":\"e%d\",\"member\":\"%s\",\"action\":\"step\"}".formatted(n, member(n)),
            (n, answer) -> true,
            false);
    try (callers) {
      callers.start(key, EVENTS_A_SECOND);
      restart(restarts);
    }
    System.out.printf("%d events, answers by status: %s%n", callers.sent(), callers.statuses());
    assertThat(callers.failures()).isEmpty();
    assertThat(settledLines(stores)).isEqualTo(expectedLines(callers.sent()));
    day = day.plusDays(1);
    return callers.sent();
  }

  private void set(Instant time) throws IOException {
    for (Victim victim : victims) {
      victim.ask("at\t" + time);
    }
  }

  private Map<String, String> settings(EmbeddedServers stores, int managementPort) {
    return Map.of(
        "PALMARES_INFRA", "external",
        "SPRING_DATASOURCE_URL", stores.jdbcUrl(),
        "SPRING_DATASOURCE_USERNAME", stores.user(),
        "SPRING_DATASOURCE_PASSWORD", stores.password(),
        "SPRING_DATA_REDIS_HOST", stores.redisHost(),
        "SPRING_DATA_REDIS_PORT", "" + stores.redisPort(),
        "SPRING_DATA_REDIS_PASSWORD", stores.password(),
        "MANAGEMENT_SERVER_PORT", "" + managementPort,
        "PALMARES_SERVER_DRAIN_TIME", "4s",
        "PALMARES_ANCHORS_FOLDER", folder.resolve("anchors").toString());
  }

  private void restart(int restarts) throws IOException {
    for (int i = 0; i < restarts; i++) {
      Victim victim = victims.get(i % SERVERS);
      victim.stop();
      assertThat(victim.start(noon().plusSeconds(60), "")).isTrue();
      awaitAll();
    }
  }

  /** Until HAProxy has seen that each server is ready. */
  private void awaitAll() {
    await()
        .atMost(PATIENCE)
        .until(() -> read(statistics + "/stats;csv").split(",UP,", -1).length > SERVERS);
  }

  private String read(String address) {
    try {
      return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      return "";
    }
  }

  private static String member(int n) {
    return "m%02d".formatted(n % MEMBERS);
  }

  private Process haproxy(int door) throws IOException {
    var servers = new StringBuilder();
    for (int i = 0; i < victims.size(); i++) {
      servers.append(
          "    server w%d 127.0.0.1:%d check port %d inter 1s fall 2 rise 1%n"
              .formatted(i, victims.get(i).port(), managementPorts.get(i)));
    }
    String deployed = Files.readString(Path.of("src", "deploy", "ha", "haproxy.cfg"));
    Path settings = folder.resolve("haproxy.cfg");
    Files.writeString(
        settings,
        deployed
                .replaceFirst("(?s)resolvers docker.*?\\n\\n", "")
                .replace(
                    "maxconn 20000", "maxconn 2000") // Twice as many files may be too many here.
                .replace("bind :8080", "bind 127.0.0.1:" + door)
                .replaceAll("(?m)^ +default-server.*\\n| +server-template.*\\n", "")
            + servers);
    int port = freePort();
    statistics = "http://127.0.0.1:" + port;
    Files.writeString(
        settings,
        "%nfrontend statistics%n    bind 127.0.0.1:%d%n    stats enable%n    stats uri /stats%n"
            .formatted(port),
        StandardOpenOption.APPEND);
    Process proxy =
        new ProcessBuilder("haproxy", "-f", settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    awaitAll();
    return proxy;
  }

  private List<String> settledLines(EmbeddedServers stores) throws IOException {
    var database = new PGSimpleDataSource();
    database.setUrl(stores.jdbcUrl());
    database.setUser(stores.user());
    database.setPassword(stores.password());
    database.setCurrentSchema("palmares");
    JdbcClient jdbc = JdbcClient.create(database);
    set(day.plusDays(1).atTime(0, 20).toInstant(ZoneOffset.UTC));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                jdbc.sql(
                        "select exists (select from period"
                            + " where board = 'steps' and name = ? and state = 'settled')")
                    .param(day.toString())
                    .query(Boolean.class)
                    .single());
    return jdbc.sql(
            """
            select member || ' ' || points from standing join period on period.id = period_id
            where name = ? order by member collate "C"
            """)
        .param(day.toString())
        .query(String.class)
        .list();
  }

  private static List<String> expectedLines(int sent) {
    var points = new TreeMap<String, Integer>();
    for (int n = 0; n < sent; n++) {
      points.merge(member(n), 1, Integer::sum);
    }
    return points.entrySet().stream().map(line -> line.getKey() + " " + line.getValue()).toList();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
