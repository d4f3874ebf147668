import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Attacks a server that it starts itself, on the loopback address only, and reports whether a
 * normal request is still answered during each attack and after it. Bounded in count and time.
 *
 * <pre>
 *   java src/test/attack/Attack.java target/palmares.jar [memory|slow|all] [--java PATH] [--heap 256m]
 * </pre>
 *
 * The first argument may also be a class path (with a colon). Exits with 1 if the server died, or
 * if a normal request was not answered within ten seconds.
 */
public class Attack {
  private static final int PROBE_MILLIS = 10_000;
  private static final int ATTACK_SECONDS = 40;
  private static final String FRIENDS = "/api/v1/boards/invites/periods/current/friends";
  private static final String EVENTS = "/api/v1/events";

  private final List<String> launch;
  private final Path data;
  private final int port;
  private final ExecutorService pool = Executors.newFixedThreadPool(1_100, Attack::daemon);
  private boolean failed;
  private String key = "";

  private Attack(List<String> launch, Path data, int port) {
    this.launch = launch;
    this.data = data;
    this.port = port;
  }

  public static void main(String... arguments) throws Exception {
    var rest = new ArrayList<>(List.of(arguments));
    String java = option(rest, "--java", ProcessHandle.current().info().command().orElse("java"));
    String heap = option(rest, "--heap", "256m");
    String program = rest.get(0);
    String mode = rest.size() > 1 ? rest.get(1) : "all";
    var launch = new ArrayList<>(List.of(java, "-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"));
    launch.addAll(
        program.contains(":")
            ? List.of("-cp", program, "palmares.Palmares")
            : List.of("-jar", program));
    Path data = Files.createTempDirectory("palmares-attack");
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = free.getLocalPort();
      free.close();
      var attack = new Attack(launch, data, port);
      System.out.printf("%s, heap %s, attacks: %s%n", version(java), heap, mode);
      boolean memory = !mode.equals("slow");
      boolean slow = !mode.equals("memory");
      attack.run(memory, slow);
      System.exit(attack.failed ? 1 : 0);
    } finally {
      delete(data);
    }
  }

  private static String option(List<String> arguments, String name, String or) {
    int at = arguments.indexOf(name);
    if (at < 0) {
      return or;
    }
    arguments.remove(at);
    return arguments.remove(at);
  }

  /** Each attack meets a fresh server, so that one attack does not hide another. */
  private void run(boolean memory, boolean slow) throws Exception {
    if (memory) {
      byte[] ones =
          ("{\"members\":[" + "1,".repeat((1 << 19) - 20) + "1]}").getBytes(StandardCharsets.UTF_8);
      byte[] lists =
          ("{\"members\":[" + "[],".repeat(349_000) + "1]}").getBytes(StandardCharsets.UTF_8);
      on(
          "60 questions of 1 MiB, lists in a list",
          () -> many(60, () -> whole("POST", FRIENDS, "application/json", "", lists, 1)));
      on(
          "200 questions of 1 MiB, numbers",
          () -> many(200, () -> whole("POST", FRIENDS, "application/json", "", ones, 1)));
      byte[] half =
          ("{\"members\":[" + "[],".repeat(170_000) + "1]}").getBytes(StandardCharsets.UTF_8);
      on(
          "200 questions of half a MiB, no key",
          () -> many(200, () -> whole("POST", FRIENDS, "application/json", "", half, 1)));
      byte[] form = "a=b&".repeat(1 << 18).getBytes(StandardCharsets.UTF_8);
      on(
          "8 PUTs of forms of 64 MiB, no key",
          () ->
              many(
                  8,
                  () -> whole("PUT", EVENTS, "application/x-www-form-urlencoded", "", form, 64)));
      byte[] post = "a=b&".repeat(1 << 19).getBytes(StandardCharsets.UTF_8);
      on(
          "100 POSTs of forms of 2 MiB, no key",
          () ->
              many(
                  100,
                  () ->
                      whole(
                          "POST",
                          FRIENDS + "?member=a",
                          "application/x-www-form-urlencoded",
                          "",
                          post,
                          1)));
      byte[] array = ("[" + "1,".repeat((1 << 22) - 10) + "1]").getBytes(StandardCharsets.UTF_8);
      byte[] lines = "1\n".repeat((1 << 22) - 1).getBytes(StandardCharsets.UTF_8);
      byte[] fields = fields();
      on(
          "8 arrays of 4 million numbers, with a key",
          () -> many(8, () -> whole("POST", EVENTS, "application/json", key, array, 1)));
      on(
          "8 bodies of 4 million lines, with a key",
          () -> many(8, () -> whole("POST", EVENTS, "application/x-ndjson", key, lines, 1)));
      on(
          "8 events of 600,000 fields, with a key",
          () -> many(8, () -> whole("POST", EVENTS, "application/json", key, fields, 1)));
      on("300 readers of 1,000 lines that never read", () -> many(300, this::unread));
    }
    if (slow) {
      on(
          "205 bodies of a byte a second, no key",
          () -> many(205, () -> trickle("POST " + FRIENDS, true)));
      on(
          "205 bodies of a byte a second, wrong key",
          () ->
              many(
                  205,
                  () -> trickle("POST " + EVENTS + " HTTP/1.1\r\nAuthorization: Bearer x", true)));
      on(
          "205 unread bodies behind a refusal",
          () -> many(205, () -> trickle("PUT /nowhere", true)));
      on(
          "1000 heads of a byte a second",
          () -> many(1_000, () -> trickle("GET " + FRIENDS, false)));
    }
  }

  /** 600,000 distinct names in one object. */
  private static byte[] fields() {
    var text = new StringBuilder("[{");
    for (int i = 0; i < 600_000; i++) {
      text.append("\"f").append(i).append("\":1,");
    }
    return text.append("\"z\":1}]").toString().getBytes(StandardCharsets.UTF_8);
  }

  private interface Work {
    Map<String, Integer> run() throws Exception;
  }

  private void on(String name, Work attack) throws Exception {
    Process server = start();
    try {
      long began = System.nanoTime();
      Future<Map<String, Integer>> running = pool.submit(attack::run);
      TimeUnit.SECONDS.sleep(2);
      String during = probe(server);
      String answers;
      try {
        answers = running.get(ATTACK_SECONDS, TimeUnit.SECONDS).toString();
      } catch (java.util.concurrent.TimeoutException e) {
        answers = "not over after " + ATTACK_SECONDS + " s";
      }
      long took = Duration.ofNanos(System.nanoTime() - began).toSeconds();
      String after = probe(server);
      failed |= during.startsWith("NOT") || after.startsWith("NOT");
      System.out.printf(
          "%-45s %2d s  during: %-22s after: %-22s attackers got %s%n",
          name, took, during, after, answers);
    } finally {
      running.forEach(Attack::close);
      running.clear();
      server.destroy();
      if (!server.waitFor(20, TimeUnit.SECONDS)) {
        server.destroyForcibly().waitFor();
      }
    }
  }

  private Process start() throws Exception {
    if (key.isEmpty()) {
      key = command("api-keys", "create", "--name", "attack");
    }
    Process server = process("server", "--port", "" + port).start();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!reaches()) {
      if (!server.isAlive() || System.nanoTime() > until) {
        throw new IllegalStateException(
            "it does not start:\n" + Files.readString(data.resolve("log")));
      }
      TimeUnit.MILLISECONDS.sleep(300);
    }
    seed();
    return server;
  }

  private boolean reaches() {
    try {
      return ask("GET", FRIENDS + "?member=a", "", "", new byte[0], 1).contains(" 200");
    } catch (IOException e) {
      return false;
    }
  }

  /** A thousand members, so that an answer can be long. */
  private void seed() throws IOException {
    var events = new StringBuilder("[");
    for (int i = 0; i < 1_000; i++) {
      events
          .append(i == 0 ? "" : ",")
          .append(
              "{\"id\":\"seed-%d\",\"member\":\"a-member-of-some-length-%d\",\"action\":\"invite\",\"subject\":\"s\"}"
                  .formatted(i, i));
    }
    byte[] body = events.append("]").toString().getBytes(StandardCharsets.UTF_8);
    String answer = ask("POST", EVENTS, "application/json", key, body, 1);
    if (!answer.contains(" 200")) {
      throw new IllegalStateException("no seed: " + answer);
    }
  }

  /** A read and a write, as any caller makes them. */
  private String probe(Process server) {
    long began = System.nanoTime();
    try {
      String read =
          ask(true, "GET", "/api/v1/boards/invites/periods/current/top", "", "", new byte[0], 1);
      byte[] event =
          "{\"id\":\"probe-%d\",\"member\":\"a\",\"action\":\"invite\",\"subject\":\"%d\"}"
              .formatted(began, began)
              .getBytes(StandardCharsets.UTF_8);
      String write = ask(true, "POST", EVENTS, "application/json", key, event, 1);
      long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
      boolean well = read.contains(" 200") && (write.contains(" 200") || write.contains(" 202"));
      return (well ? "answered in %d ms" : "NOT well: " + read + ", " + write).formatted(millis);
    } catch (IOException e) {
      return server.isAlive()
          ? "NOT answered: " + e.getMessage()
          : "NOT alive, exit " + server.exitValue();
    }
  }

  private String ask(String method, String path, String type, String bearer, byte[] body, int times)
      throws IOException {
    return ask(false, method, path, type, bearer, body, times);
  }

  /**
   * Its status line.
   *
   * @param apart whether the question comes from another loopback address than the attacks
   */
  private String ask(
      boolean apart, String method, String path, String type, String bearer, byte[] body, int times)
      throws IOException {
    try (Socket socket = connect(apart)) {
      socket.setSoTimeout(PROBE_MILLIS);
      OutputStream out = socket.getOutputStream();
      out.write(
          head(method, path, type, bearer, (long) body.length * times)
              .getBytes(StandardCharsets.UTF_8));
      IOException broken = null;
      try {
        for (int i = 0; i < times; i++) {
          out.write(body);
        }
        out.flush();
      } catch (IOException e) {
        broken = e; // it may have answered before it closed
      }
      String line = line(socket.getInputStream());
      if (line.isEmpty()) {
        throw broken == null ? new IOException("closed without an answer") : broken;
      }
      return line;
    }
  }

  private String whole(
      String method, String path, String type, String bearer, byte[] body, int times) {
    try {
      return ask(method, path, type, bearer, body, times).replace("HTTP/1.1 ", "").strip();
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private final List<Socket> running = java.util.Collections.synchronizedList(new ArrayList<>());

  /** Sends a byte a second for as long as it may. */
  private String trickle(String head, boolean body) throws InterruptedException {
    long began = System.nanoTime();
    try (Socket socket = connect()) {
      running.add(socket);
      socket.setSoTimeout(1_000);
      String first = head.contains("HTTP/1.1") ? head : head + " HTTP/1.1";
      socket
          .getOutputStream()
          .write((first + "\r\nHost: localhost\r\n").getBytes(StandardCharsets.UTF_8));
      if (body) {
        socket
            .getOutputStream()
            .write(
                "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"
                    .getBytes(StandardCharsets.UTF_8));
      } else {
        socket.getOutputStream().write("X-Slow: ".getBytes(StandardCharsets.UTF_8));
      }
      for (int i = 0; i < ATTACK_SECONDS - 5; i++) {
        socket.getOutputStream().write(' ');
        try {
          String line = line(socket.getInputStream());
          String when = " after " + bucket(began);
          return (line.isEmpty() ? "closed" : line.replace("HTTP/1.1 ", "").strip()) + when;
        } catch (java.net.SocketTimeoutException e) {
          // nothing was said yet
        }
      }
      return "still open";
    } catch (IOException e) {
      return "cut after " + bucket(began);
    }
  }

  private static String bucket(long began) {
    long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
    return seconds < 5 ? "<5 s" : seconds < 20 ? "<20 s" : "<40 s";
  }

  /** Asks over and over on one connection, and never takes an answer. */
  private String unread() throws InterruptedException {
    try (Socket socket = new Socket()) {
      running.add(socket);
      socket.setReceiveBufferSize(2_048);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
      byte[] question =
          head("GET", "/api/v1/boards/invites/periods/current/top?count=1000", "", "", 0)
              .getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 100; i++) {
        socket.getOutputStream().write(question);
      }
      TimeUnit.SECONDS.sleep(20);
      return "held 20 s";
    } catch (IOException e) {
      return "refused";
    }
  }

  private static String head(String method, String path, String type, String bearer, long length) {
    return "%s %s HTTP/1.1\r\nHost: localhost\r\n%s%s%s\r\n"
        .formatted(
            method,
            path,
            type.isEmpty() ? "" : "Content-Type: " + type + "\r\n",
            bearer.isEmpty() ? "" : "Authorization: Bearer " + bearer + "\r\n",
            length == 0 ? "" : "Content-Length: " + length + "\r\n");
  }

  private Socket connect() throws IOException {
    return connect(false);
  }

  private Socket connect(boolean apart) throws IOException {
    var socket = new Socket();
    if (apart) {
      socket.bind(new InetSocketAddress("127.0.0.2", 0));
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
    return socket;
  }

  private static String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      line.write(c);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private Map<String, Integer> many(int count, Callable<String> work) throws InterruptedException {
    var all = new ArrayList<Future<String>>();
    for (int i = 0; i < count; i++) {
      all.add(pool.submit(work));
    }
    var answers = new TreeMap<String, Integer>();
    for (Future<String> one : all) {
      try {
        answers.merge(one.get(), 1, Integer::sum);
      } catch (ExecutionException e) {
        answers.merge(String.valueOf(e.getCause()), 1, Integer::sum);
      }
    }
    return answers;
  }

  private ProcessBuilder process(String... arguments) {
    var command = new ArrayList<>(launch);
    command.addAll(List.of(arguments));
    command.addAll(List.of("--data", data.resolve("data").toString()));
    return new ProcessBuilder(command)
        .directory(data.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(data.resolve("log").toFile()));
  }

  private String command(String... arguments) throws Exception {
    Path out = data.resolve("out");
    Process process =
        process(arguments).redirectErrorStream(false).redirectOutput(out.toFile()).start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          String.join(" ", arguments) + " ends with " + process.exitValue());
    }
    return Files.readString(out).strip();
  }

  private static String version(String java) throws Exception {
    Process process = new ProcessBuilder(java, "-version").redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .findFirst()
        .orElse("");
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(null, work, "attacker", 256 << 10);
    thread.setDaemon(true);
    return thread;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }
}
