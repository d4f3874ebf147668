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
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.embedded.EmbeddedServers;
import palmares.testing.FaultTable;

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
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** What a caller may meet meanwhile; all else would be lost on it. */
  private static final List<Integer> EXPECTED = List.of(200, 202, 503);

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
  private final AtomicInteger sent = new AtomicInteger();
  private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void aRestartOfEachServerAnswersEveryCallAndLosesNothing() throws Exception {
    assumeThat(RESTARTS).as("restarts").isPositive();
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    Files.writeString(jobs.resolve("steps.yml"), BOARD);
    var victims = new ArrayList<Victim>();
    var managementPorts = new ArrayList<Integer>();
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
        assertThat(victims.get(i).start(NOON, "")).isTrue();
      }
      String key = victims.get(0).ask("key\tann");
      int door = freePort();
      Process proxy = haproxy(door, victims, managementPorts);
      try {
        URI events = URI.create("http://127.0.0.1:%d/api/v1/events".formatted(door));
        send(events, key, () -> restart(victims));
      } finally {
        proxy.destroyForcibly().onExit().join();
      }
      System.out.printf("%d events, answers by status: %s%n", sent.get(), new TreeMap<>(statuses));
      assertThat(failures).isEmpty();
      assertThat(statuses.keySet()).isSubsetOf(EXPECTED);
      assertThat(settledLines(stores, victims)).isEqualTo(expectedLines());
      FaultTable.write(
          "a server behind HAProxy is stopped and started again", RESTARTS, sent.get(), 0, 0);
    } finally {
      for (Victim victim : victims) {
        victim.close();
      }
      stores.close();
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

  private void restart(List<Victim> victims) {
    try {
      for (int i = 0; i < RESTARTS; i++) {
        Victim victim = victims.get(i % SERVERS);
        victim.stop();
        assertThat(victim.start(NOON.plusSeconds(60), "")).isTrue();
        awaitAll();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
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

  /**
   * Sends events at a steady rate, each until it is acknowledged, for as long as the work lasts.
   */
  private void send(URI events, String key, Runnable work) throws InterruptedException {
    ScheduledExecutorService clock = Executors.newScheduledThreadPool(64);
    clock.scheduleAtFixedRate(
        () -> clock.execute(() -> take(events, key, sent.getAndIncrement())),
        0,
        TimeUnit.SECONDS.toMicros(1) / EVENTS_A_SECOND,
        TimeUnit.MICROSECONDS);
    try {
      work.run();
    } finally {
      clock.shutdown();
      assertThat(clock.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static String member(int n) {
    return "m%02d".formatted(n % MEMBERS);
  }

  private void take(URI events, String key, int n) {
    String body = "{\"id\":\"e%d\",\"member\":\"%s\",\"action\":\"step\"}".formatted(n, member(n));
    for (int status = 503; status == 503; statuses.merge(status, 1, Integer::sum)) {
      try {
        HttpResponse<String> answer =
            http.send(
                HttpRequest.newBuilder(events)
                    .header("Authorization", "Bearer " + key)
                    .header("Content-Type", "application/json")
                    .timeout(Duration.ofSeconds(20))
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString());
        status = answer.statusCode();
        if (!EXPECTED.contains(status)) {
          failures.add(status + " " + answer.body());
        }
      } catch (IOException | InterruptedException e) {
        failures.add("e%d: %s".formatted(n, e));
        return;
      }
    }
  }

  private Process haproxy(int door, List<Victim> victims, List<Integer> managementPorts)
      throws IOException {
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

  private static List<String> settledLines(EmbeddedServers stores, List<Victim> victims)
      throws Exception {
    var database = new PGSimpleDataSource();
    database.setUrl(stores.jdbcUrl());
    database.setUser(stores.user());
    database.setPassword(stores.password());
    database.setCurrentSchema("palmares");
    JdbcClient jdbc = JdbcClient.create(database);
    for (Victim victim : victims) {
      victim.ask("at\t" + Instant.parse("2026-11-21T00:20:00Z"));
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                jdbc.sql(
                        "select exists (select from period"
                            + " where board = 'steps' and state = 'settled')")
                    .query(Boolean.class)
                    .single());
    return jdbc.sql("select member || ' ' || points from standing order by member collate \"C\"")
        .query(String.class)
        .list();
  }

  private List<String> expectedLines() {
    var points = new TreeMap<String, Integer>();
    for (int n = 0; n < sent.get(); n++) {
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
