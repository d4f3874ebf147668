package palmares.crash;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.embedded.ServersUnavailable;
import palmares.testing.Proxy;

/** PostgreSQL and Redis behind proxies, and all that can happen to them. */
final class FaultyStores implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A transaction that has ended, or a statement that writes without one. */
  private static final Pattern COMMITTED =
      Pattern.compile(
          "(?s)C\0\0\0\u000bCOMMIT\0|C\0\0..(INSERT|UPDATE|DELETE|MERGE) [ \\d]+\0Z\0\0\0\u0005I");

  private static final Pattern ANY = Pattern.compile("");
  private static final Pattern SCRIPT = Pattern.compile("EVALSHA");
  private static final Pattern SUCCESS = Pattern.compile("(?s)\\A[^-]");

  /** Of which a new cluster needs 384 MB. */
  private static final String DISK = "600m";

  private static final String DISK_OF_REDIS = "48m";

  /** Whose fault it is. */
  enum Store {
    POSTGRESQL("PostgreSQL"),
    REDIS("Redis");

    private final String title;

    Store(String title) {
      this.title = title;
    }

    @Override
    public String toString() {
      return title;
    }
  }

  /** What can happen to a store. */
  enum Kind {
    /** By SIGKILL, all of its processes; it is started again. */
    KILLED,
    /** By SIGSTOP. */
    PAUSED,
    /** It does what it is asked, and nobody gets an answer. */
    STALLED,
    SLOWED,
    /** Nothing listens at its port. */
    REFUSED,
    RESET,
    /** It has committed, or has run a script, and the connection ends instead of an answer. */
    ANSWER_LOST,
    DISK_FULL,
    /** It is killed, and begins again with files of the morning. */
    SET_BACK,
    /** It is killed, and its file ends at any byte that was written since the morning. */
    TORN
  }

  private final Path data;
  private final boolean hasSmallDisks;
  private final EmbeddedServers servers;
  private final Proxy postgres;
  private final Proxy redis;

  private FaultyStores(Path data, boolean hasSmallDisks) throws IOException {
    this.data = data;
    this.hasSmallDisks = hasSmallDisks;
    if (hasSmallDisks) {
      mount(DISK, data);
      mount(DISK_OF_REDIS, data.resolve("redis"));
    }
    servers = EmbeddedServers.own(data, "tests");
    postgres = Proxy.to(servers.redisHost(), postgresPort());
    redis = Proxy.to(servers.redisHost(), servers.redisPort());
  }

  /**
   * Starts them.
   *
   * @param hasSmallDisks whether each has an own disk, which only root on Linux may mount
   */
  static FaultyStores start(Path data, boolean hasSmallDisks) throws IOException {
    return new FaultyStores(data.toAbsolutePath(), hasSmallDisks);
  }

  private static void mount(String size, Path folder) throws IOException {
    Files.createDirectories(folder);
    run("mount", "-t", "tmpfs", "-o", "mode=700,size=" + size, "tmpfs", folder.toString());
  }

  private static void run(String... command) throws IOException {
    Process ended = new ProcessBuilder(command).inheritIO().start().onExit().join();
    if (ended.exitValue() != 0) {
      throw new AssertionError("could not inject: " + String.join(" ", command));
    }
  }

  EmbeddedServers servers() {
    return servers;
  }

  /** Settings of a server that reaches them by the proxies. */
  Map<String, String> addresses() {
    String url = servers.jdbcUrl();
    return Map.of(
        "SPRING_DATASOURCE_URL",
        url.replace(":" + postgresPort() + "/", ":" + postgres.port() + "/"),
        "SPRING_DATA_REDIS_PORT",
        "" + redis.port());
  }

  private int postgresPort() {
    return Integer.parseInt(servers.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
  }

  /**
   * Begins a fault, which lasts until {@link #end}.
   *
   * @param millis how long each block of bytes lasts if the store is slowed
   */
  void begin(Kind kind, Store store, long millis) throws IOException {
    Proxy proxy = proxy(store);
    switch (kind) {
      case KILLED -> kill(store);
      case PAUSED -> signal("STOP", store);
      case STALLED -> proxy.holdAnswers();
      case SLOWED -> proxy.slow(millis);
      case REFUSED -> proxy.hide();
      case RESET -> proxy.reset();
      case ANSWER_LOST ->
          proxy.loseAnswer(
              store == Store.REDIS ? SCRIPT : ANY, store == Store.REDIS ? SUCCESS : COMMITTED);
      case DISK_FULL -> fill(store);
      case SET_BACK, TORN -> throw new IllegalArgumentException("by another method");
    }
  }

  /** Ends it, and waits until the store is as it was. */
  void end(Kind kind, Store store) throws IOException {
    switch (kind) {
      case KILLED -> restartDead(store);
      case PAUSED -> signal("CONT", store);
      case DISK_FULL -> {
        Files.delete(filler(store));
        restartDead(store);
      }
      case SET_BACK, TORN -> restartDead(store);
      default -> proxy(store).restore();
    }
  }

  /** How often its clients noticed a fault of its network. */
  int struck(Store store) {
    return proxy(store).struck();
  }

  private Proxy proxy(Store store) {
    return store == Store.REDIS ? redis : postgres;
  }

  private List<ProcessHandle> processes(Store store) throws IOException {
    Path file = store == Store.REDIS ? Path.of("redis.pid") : Path.of("postgres/postmaster.pid");
    String pid = Files.readAllLines(data.resolve(file)).get(0).strip();
    return ProcessHandle.of(Long.parseLong(pid)).stream()
        .flatMap(first -> Stream.concat(Stream.of(first), first.descendants()))
        .toList();
  }

  private void kill(Store store) throws IOException {
    List<ProcessHandle> processes = processes(store);
    if (processes.isEmpty()) {
      throw new AssertionError("could not inject: " + store + " is dead already");
    }
    processes.forEach(ProcessHandle::destroyForcibly);
    // A backend may have begun meanwhile; it ends as soon as it notices.
    await("the end of " + store, () -> processes.stream().noneMatch(FaultyStores::runs));
  }

  /** A process that nobody waits for is a zombie, which runs no more. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && state(process) != 'Z';
  }

  private static char state(ProcessHandle process) {
    try {
      String line = Files.readString(Path.of("/proc", "" + process.pid(), "stat"));
      return line.charAt(line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return 'Z'; // It has ended meanwhile.
    }
  }

  private void signal(String signal, Store store) throws IOException {
    var command = new ArrayList<String>(List.of("kill", "-" + signal));
    List<ProcessHandle> processes = processes(store);
    processes.forEach(process -> command.add("" + process.pid()));
    // One of a client may have ended meanwhile; then kill fails, but reaches the others.
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .onExit()
        .join();
    if (signal.equals("STOP")) {
      await(store + " is stopped", () -> state(processes.get(0)) == 'T');
    }
  }

  private void restartDead(Store store) {
    await(
        store + " answers again",
        () -> {
          try {
            servers.restartDead();
            return store == Store.REDIS || answers();
          } catch (ServersUnavailable e) {
            return false; // Its processes are about to end.
          }
        });
  }

  private boolean answers() {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(servers.jdbcUrl(), servers.user(), servers.password());
  }

  private Path filler(Store store) {
    return (store == Store.REDIS ? data.resolve("redis") : data).resolve("filler");
  }

  private void fill(Store store) throws IOException {
    if (!hasSmallDisks) {
      throw new AssertionError("could not inject: " + store + " has no small disk");
    }
    byte[] block = new byte[1 << 12];
    try (OutputStream out = Files.newOutputStream(filler(store))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }

  /**
   * Writes until the store refuses, or ends because it cannot write.
   *
   * @param isLog whether PostgreSQL's log is what does not fit, which PostgreSQL does not survive
   */
  void requireFull(Store store, boolean isLog, RedisCommands<String, String> commands) {
    String refusal = "";
    for (int i = 0; i < 64 && refusal.isEmpty(); i++) {
      refusal = store == Store.REDIS ? refusalOf(commands) : refusal(isLog);
    }
    if (refusal.isEmpty()) {
      throw new AssertionError("could not inject: the disk of " + store + " is not full");
    }
  }

  private static String refusalOf(RedisCommands<String, String> commands) {
    try {
      commands.set("campaign:filler", "x".repeat(10_000));
      return "";
    } catch (RedisException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private String refusal(boolean isLog) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          isLog
              ? "select pg_logical_emit_message(false, 'x', repeat('x', 1000000))"
              : "create table filler as select repeat(md5(n::text), 60) as x"
                  + " from generate_series(1, 100000) as n");
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private Path files() {
    return data.resolve("redis/appendonlydir");
  }

  private Path morning() {
    return data.resolve("morning");
  }

  /** Copies the files of Redis, to set it back to. */
  void rememberRedis() throws IOException {
    FileSystemUtils.deleteRecursively(morning());
    FileSystemUtils.copyRecursively(files(), morning());
  }

  /** How many bytes Redis has written since the morning. */
  long sinceMorning() throws IOException {
    Path file = lastFile(files());
    Path former = morning().resolve(file.getFileName());
    return Files.size(file) - (Files.exists(former) ? Files.size(former) : 0);
  }

  /** Kills Redis and starts it with what it had in the morning, or a part of the day since. */
  void setBack(boolean torn, Random random) throws IOException {
    kill(Store.REDIS);
    if (torn) {
      Path file = lastFile(files());
      long lost = 1 + random.nextLong(sinceMorning());
      try (var open = new RandomAccessFile(file.toFile(), "rw")) {
        open.setLength(open.length() - lost);
      }
    } else {
      FileSystemUtils.deleteRecursively(files());
      FileSystemUtils.copyRecursively(morning(), files());
    }
    restartDead(Store.REDIS);
  }

  /** Its append-only file has a base and what was written since, perhaps in several parts. */
  private static Path lastFile(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> parts =
          files
              .filter(file -> file.toString().endsWith(".incr.aof"))
              .sorted((one, other) -> Long.compare(part(one), part(other)))
              .collect(Collectors.toList());
      return parts.get(parts.size() - 1);
    }
  }

  private static long part(Path file) {
    return Long.parseLong(file.getFileName().toString().replaceAll("\\D", ""));
  }

  private static void await(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never: " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  @Override
  public void close() throws IOException {
    postgres.close();
    redis.close();
    servers.close();
    if (hasSmallDisks) {
      run("umount", data.resolve("redis").toString());
      run("umount", data.toString());
    }
  }
}
