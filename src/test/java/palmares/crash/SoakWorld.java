package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.embedded.ServersUnavailable;
import palmares.testing.Proxy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two servers on a PostgreSQL and a Redis that are reached through proxies: each of the four can be
 * killed and started again, and the two stores stalled or cut off.
 */
final class SoakWorld implements AutoCloseable {
  static final int SERVERS = 2;
  private static final int LAST_LINES = 80;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Statements of PostgreSQL are counted here, by its extension. */
  private static final String STATEMENTS = "soak";

  private final Path folder;
  private final Path data;
  private final EmbeddedServers stores;
  private final Store postgres;
  private final Store redis;
  private final JdbcClient jdbc;
  private final RedisClient redisClient;
  private final StatefulRedisConnection<String, String> redisConnection;
  private final List<Victim> victims = new ArrayList<>();
  private final AtomicIntegerArray ports = new AtomicIntegerArray(SERVERS);
  private final int[] starts = new int[SERVERS];
  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();
  private String ann = "";
  private String bob = "";
  private volatile Instant set;
  private volatile long setAtNanos = System.nanoTime();
  private int requests;

  /** Odd while something fails. */
  private final AtomicInteger faults = new AtomicInteger();

  /** A store as servers reach it, and the file that has its process id. */
  final class Store {
    private final Proxy proxy;
    private final Path pidFile;
    private int restarts;

    Store(int port, String pidFile) throws IOException {
      this.proxy = Proxy.to("127.0.0.1", port);
      this.pidFile = data.resolve(pidFile);
    }

    Proxy proxy() {
      return proxy;
    }

    /** How often it was killed. */
    int restarts() {
      return restarts;
    }

    /** Kills it, and starts it again on its data. */
    void restart() {
      proxy.cut();
      kill();
      until("the store runs again", () -> !restarted().isEmpty());
      restarts++;
      proxy.restore();
    }

    private void kill() {
      try {
        long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private List<String> restarted() {
    try {
      return stores.restartDead();
    } catch (ServersUnavailable e) {
      return List.of(); // Children of the killed process still have its memory.
    }
  }

  SoakWorld(Path folder, Instant now) throws IOException {
    this.folder = folder;
    set = now;
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    for (String board : SoakModel.BOARDS.keySet()) {
      Files.writeString(jobs.resolve(board + ".yml"), SoakModel.rules(board));
    }
    data = folder.resolve("data");
    stores = EmbeddedServers.own(data, "tests");
    String url = stores.jdbcUrl();
    var database = new PGSimpleDataSource();
    database.setUrl(url);
    database.setUser(stores.user());
    database.setPassword(stores.password());
    database.setCurrentSchema("palmares");
    jdbc = JdbcClient.create(database);
    int postgresPort = URI.create(url.substring("jdbc:".length())).getPort();
    postgres = new Store(postgresPort, "postgres/postmaster.pid");
    redis = new Store(stores.redisPort(), "redis.pid");
    countStatements();
    redisClient =
        RedisClient.create(
            RedisURI.builder()
                .withHost(stores.redisHost())
                .withPort(stores.redisPort())
                .withPassword(stores.password().toCharArray())
                .build());
    redisConnection = redisClient.connect();
    for (int i = 0; i < SERVERS; i++) {
      victims.add(
          new Victim(
              log(i),
              settings(url.replace(":" + postgresPort, ":" + postgres.proxy().port()), i),
              List.of("server", "--port", "0", "--jobs", jobs.toString())));
    }
    victims.forEach(this::start);
    ann = victims.get(0).ask("key\tann");
    bob = victims.get(0).ask("key\tbob");
  }

  private void countStatements() {
    jdbc.sql("alter system set shared_preload_libraries = 'pg_stat_statements'").update();
    postgres.restart();
    jdbc.sql("alter system set pg_stat_statements.track_planning = on").update();
    jdbc.sql("select pg_reload_conf()").query(Boolean.class).single();
    jdbc.sql("create schema " + STATEMENTS).update();
    jdbc.sql("create extension pg_stat_statements schema " + STATEMENTS).update();
  }

  private Map<String, String> settings(String url, int number) {
    return Map.ofEntries(
        Map.entry(MortalServer.POINTS, MortalServer.NONE),
        Map.entry("PALMARES_INFRA", "external"),
        Map.entry("PALMARES_NODE", "server " + number),
        Map.entry("SPRING_DATASOURCE_URL", url),
        Map.entry("SPRING_DATASOURCE_USERNAME", stores.user()),
        Map.entry("SPRING_DATASOURCE_PASSWORD", stores.password()),
        Map.entry("SPRING_DATA_REDIS_HOST", "127.0.0.1"),
        Map.entry("SPRING_DATA_REDIS_PORT", "" + redis.proxy().port()),
        Map.entry("SPRING_DATA_REDIS_PASSWORD", stores.password()),
        Map.entry("MANAGEMENT_SERVER_PORT", "0"),
        Map.entry("PALMARES_ARCHIVE_FOLDER", folder.resolve("archive").toString()),
        Map.entry("PALMARES_ANCHORS_FOLDER", folder.resolve("anchors").toString()),
        Map.entry("PALMARES_HISTORY_OWN_TABLES_FROM", "" + SoakModel.OWN_TABLES_FROM),
        Map.entry("PALMARES_OUTBOX_STREAM_KEY", "facts"),
        Map.entry("PALMARES_OUTBOX_STREAM_MAX_LENGTH", "1000"),
        Map.entry("PALMARES_OUTBOX_RETENTION", "7d"),
        Map.entry("PALMARES_RUNS_KEEP", "7d"),
        Map.entry("PALMARES_JOURNAL_KEEP_EVENTS", "0"),
        Map.entry("PALMARES_JOURNAL_KEEP_FOR", "1s"));
  }

  private void start(Victim victim) {
    int number = victims.indexOf(victim);
    try {
      assertThat(victim.start(now(), "")).as("server %d starts", number).isTrue();
      victim.ask("at\t" + now());
      ports.set(number, victim.port());
      starts[number]++;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Store postgres() {
    return postgres;
  }

  Store redis() {
    return redis;
  }

  StatefulRedisConnection<String, String> redisConnection() {
    return redisConnection;
  }

  /** How often a server was started. */
  int starts(int server) {
    return starts[server];
  }

  /** Kills a server, and starts it again. */
  void restart(int server) {
    Victim victim = victims.get(server);
    synchronized (victim) {
      victim.kill();
      start(victim);
    }
  }

  /** Waits for a server that is started again just then. */
  String ask(int server, String line) {
    Victim victim = victims.get(server);
    synchronized (victim) {
      try {
        return victim.ask(line);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The time by the clocks of the servers. */
  Instant now() {
    return set.plusNanos(System.nanoTime() - setAtNanos);
  }

  /** Sets the clocks of all servers, which go on from there. */
  void at(Instant time) {
    setAtNanos = System.nanoTime();
    set = time;
    for (int i = 0; i < SERVERS; i++) {
      ask(i, "at\t" + time);
    }
  }

  /** The key of the callers who send events. */
  String key() {
    return ann;
  }

  /** The address of a server's API. */
  URI api(int server, String path) {
    return URI.create("http://127.0.0.1:%d/api/v1%s".formatted(ports.get(server), path));
  }

  List<String> words(String sql, Object... parameters) {
    return jdbc.sql(sql).params(parameters).query(String.class).list();
  }

  JdbcClient jdbc() {
    return jdbc;
  }

  /** Waits until it is so; while PostgreSQL is away, it is not. */
  void until(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isReached(reached)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never: " + what);
      }
      pause(200);
    }
  }

  private static boolean isReached(BooleanSupplier reached) {
    try {
      return reached.getAsBoolean();
    } catch (DataAccessException e) {
      return false;
    }
  }

  static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Lets something fail. Operators give verbs again that a fault has ended. */
  void fail(Runnable fault) {
    faults.incrementAndGet();
    fault.run();
    faults.incrementAndGet();
  }

  /** Calls a verb, once for a key, and follows it to its end. */
  JsonNode verb(boolean byBob, String path, String fields) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    int before = faults.get();
    JsonNode task = tryVerb(byBob, path, fields);
    while ((isBusy(task) || isEnded(task) && (before % 2 == 1 || before != faults.get()))
        && System.nanoTime() < deadline) {
      pause(200);
      before = faults.get();
      task = tryVerb(byBob, path, fields);
    }
    assertThat(task.path("state").asString()).as("%s: %s", path, task).isIn("done", "held");
    return task;
  }

  private static boolean isBusy(JsonNode task) {
    return task.path("state").asString().equals("failed")
        && task.path("messages").findValuesAsString("code").contains("period.busy");
  }

  private static boolean isEnded(JsonNode task) {
    return List.of("abandoned", "failed").contains(task.path("state").asString());
  }

  private String post(boolean byBob, String path, String fields) {
    String body = "{'reason':'a soak'%s}".formatted(fields.isEmpty() ? "" : "," + fields);
    String key = "soak-" + set.getEpochSecond() + "-" + ++requests;
    return send(
        byBob,
        path,
        request ->
            request
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  private JsonNode tryVerb(boolean byBob, String path, String fields) {
    JsonNode task = json.readTree(post(byBob, path, fields));
    while (task.path("state").asString().equals("running")) {
      String rest = "/ops/tasks/%d?wait=5".formatted(task.path("id").asLong());
      task = json.readTree(get(rest));
    }
    return task;
  }

  /** Reads what ann may read. */
  String get(String path) {
    return send(false, path, HttpRequest.Builder::GET);
  }

  /** The digest of what a person would approve, who looks first. */
  String shown(String path) {
    return json.readTree(post(true, path + "?dryRun=true", "")).at("/pays/digest").asString();
  }

  private interface Completed {
    HttpRequest.Builder by(HttpRequest.Builder request);
  }

  private String send(boolean byBob, String path, Completed completed) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    @Nullable String last = null;
    while (System.nanoTime() < deadline) {
      var request =
          HttpRequest.newBuilder(api(++requests % SERVERS, path))
              .timeout(Duration.ofSeconds(30))
              .header("Authorization", "Bearer " + (byBob ? bob : ann));
      try {
        HttpResponse<String> answer =
            http.send(completed.by(request).build(), BodyHandlers.ofString());
        if (answer.statusCode() < 300) {
          return answer.body();
        }
        last = answer.statusCode() + " " + answer.body();
        if (answer.statusCode() != 503 && answer.statusCode() != 409) {
          throw new AssertionError(path + ": " + last);
        }
      } catch (IOException died) {
        last = died.toString();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
      pause(100);
    }
    throw new AssertionError(path + " is not answered: " + last);
  }

  /** What the servers have logged last, without the frames of others' code. */
  String tail() throws IOException {
    var tail = new StringBuilder();
    for (int i = 0; i < SERVERS; i++) {
      List<String> lines =
          Files.readAllLines(log(i)).stream()
              .filter(line -> !line.startsWith("\tat ") || line.contains("palmares."))
              .toList();
      tail.append("---- server %d%n".formatted(i));
      lines.stream()
          .skip(Math.max(0, lines.size() - LAST_LINES))
          .forEach(line -> tail.append(line).append('\n'));
    }
    return tail.toString();
  }

  private Path log(int server) {
    return folder.resolve("server-%d.log".formatted(server));
  }

  @Override
  public void close() throws IOException {
    for (Victim victim : victims) {
      victim.close();
    }
    postgres.proxy().close();
    redis.proxy().close();
    redisClient.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    stores.close();
  }
}
