package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.Environment;
import palmares.Palmares;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.cli.launch.LaunchOptions.Part;
import palmares.cli.launch.Launcher;
import palmares.cli.launch.SpringLauncher;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Sentence;
import palmares.testing.Api;
import palmares.testing.Browser;
import palmares.testing.Browser.Page;

class ServerCommandTest extends OnOwnApplication {
  private static final int TIMEOUT_SECONDS = 60;

  @Override
  Map<String, String> boards() {
    return Map.of("staffed", RACE + "exclusions: [staff]\n");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void itPrintsItsAddressLogsNoWarningAndStops(CapturedOutput output) throws Exception {
    palmares.call("api-keys", "list");
    var keys = new EnumMap<Role, String>(Role.class);
    for (Role role : Role.values()) {
      keys.put(role, Api.ownKey(palmares.get(ApiKeys.class), role.word(), "tester", role));
    }
    String viewer = keys.getOrDefault(Role.VIEWER, "");
    String password;
    List<String> temporary = temporaryFolders();
    try (var server = new Server("server", "--port", "0")) {
      String listens = server.line();
      assertThat(listens).matches("listens on http://localhost:\\d+/api/v1");
      URI console = URI.create(server.line().replace("console: ", "") + "/sign-in");
      assertThat(status(console)).isEqualTo(200);
      assertThat(server.line())
          .startsWith("keeps its data in PostgreSQL at jdbc:postgresql://")
          .contains(" and Redis at ");
      assertThat(temporaryFolders())
          .as("a process that is killed leaves them")
          .isEqualTo(temporary);
      URI management = URI.create(server.line().replace("health and metrics: ", "") + "/");
      assertThat(warnings(output)).as("of its start").isEmpty();
      for (String page :
          new String[] {
            "health/liveness",
            "health/readiness",
            "health",
            "info",
            "prometheus",
            "quartz",
            "flyway",
            "scheduledtasks"
          }) {
        boolean probe = page.startsWith("health");
        assertThat(status(management.resolve(page))).as(page).isEqualTo(probe ? 200 : 401);
        for (Map.Entry<Role, String> key : keys.entrySet()) {
          boolean isStaff = !Set.of(Role.READER, Role.WRITER, Role.WALLET).contains(key.getKey());
          assertThat(status(management.resolve(page), key.getValue()))
              .as("%s by %s", page, key.getKey())
              .isEqualTo(probe || isStaff ? 200 : 403);
        }
      }
      assertThat(status(management.resolve("env"), viewer)).isEqualTo(404);
      var uri = URI.create(listens.replace("listens on ", "") + "/boards/none/periods/current/top");
      assertThat(status(uri)).isEqualTo(401);
      assertThat(status(uri, viewer)).isEqualTo(404);

      server.awaitStarted();
      List<String> printed = firstPasswords(output);
      assertThat(printed).as("the first start prints a password").hasSize(1);
      password = printed.get(0);
      var admin = new Browser(uri.getPort());
      assertThat(admin.signIn("admin", password).status()).isEqualTo(200);
      Page early = admin.get("/api/v1/ops/periods");
      assertThat(early.status()).isEqualTo(403);
      assertThat(early.problem()).isEqualTo("password-change-required");

      String port = "" + uri.getPort();
      Called second = palmares.callAlone("server", "--port", port, "--roles", "writer");
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.err())
          .contains("palmares: port %s is in use: stop what listens there".formatted(port));
      List<String> before = warnings(output);
      assertThat(server.stop()).isZero();
      assertThat(warnings(output)).as("of its end").isEqualTo(before);
    }
    try (var again = new Server("server", "--port", "0")) {
      assertThat(again.line()).startsWith("listens on ");
      again.awaitStarted();
      assertThat(again.stop()).isZero();
    }
    assertThat(firstPasswords(output)).as("of both starts").containsExactly(password);
    assertThat(output.getAll().split(Pattern.quote(password), -1))
        .as("nothing else has the password, also no log")
        .hasSize(2);
  }

  private static List<String> firstPasswords(CapturedOutput output) {
    return Pattern.compile("sign in as 'admin' with the password (\\S+), which must be changed")
        .matcher(output.getErr())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** All but the one of Tomcat about the second server of a process, which tests alone have. */
  private static List<String> warnings(CapturedOutput output) {
    return output
        .getAll()
        .lines()
        .filter(line -> line.matches(".* (WARN|ERROR) \\d+ --- .*"))
        .filter(line -> !line.contains("tomcat.util.modeler.Registry"))
        .toList();
  }

  private static int status(URI uri, String key) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + key);
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  private static int status(URI uri) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  private static List<String> temporaryFolders() {
    return Stream.of(new File(System.getProperty("java.io.tmpdir")).list())
        .filter(name -> name.startsWith("tomcat"))
        .sorted()
        .toList();
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void aSchedulerAloneHasTheManagementPortOnlyAndNamesMissingLists(CapturedOutput output)
      throws Exception {
    int port = freePort();
    try (var server =
        new Server(
            "server",
            "--roles",
            "scheduler",
            "--port",
            "0",
            "-D",
            "management.server.port=" + port,
            "-D",
            "palmares.security.management=open")) {
      assertThat(server.line()).startsWith("closes what is due; takes no events");
      assertThat(server.line()).startsWith("keeps its data in");
      URI management = URI.create(server.line().replace("health and metrics: ", "") + "/");
      assertThat(status(management.resolve("health/readiness"))).isEqualTo(200);
      assertThat(status(management.resolve("prometheus"))).isEqualTo(200);
      assertThat(status(management.resolve("info"))).isEqualTo(401);
      assertThat(temporaryFolders(port)).as("which a process that is killed leaves").isEmpty();
      assertThat(server.stop()).isZero();
      assertThat(output.getErr())
          .contains(
              "staffed.yml: the board 'staffed' refers to the list 'staff', which does not exist",
              "palmares lists create staff --reason TEXT");
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The folders of Tomcat that Spring Boot makes for a port. */
  private static List<Path> temporaryFolders(int port) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().matches("tomcat.*\\." + port + "\\..*"))
          .toList();
    }
  }

  @Test
  void rolesMayBeASetting() {
    assertThat(partsOf("server", "-D", "palmares.roles=scheduler"))
        .isEqualTo(partsOf("server", "--roles", "scheduler"))
        .contains(Part.SCHEDULER)
        .doesNotContain(Part.WEB);
    Called wrong = Called.alone("server", "-D", "palmares.roles=writer,reader");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("palmares.roles has 'reader': name writer, scheduler, or both");
  }

  /** The parts of the application that a call would start. */
  private static Set<Part> partsOf(String... arguments) {
    var parts = new AtomicReference<Set<Part>>();
    Launcher none =
        launch -> {
          parts.set(launch.parts());
          throw UserError.failed(Sentence.verbatim("it does not start"));
        };
    assertThat(Called.with(none, "", arguments).err()).endsWith("palmares: it does not start\n");
    return Objects.requireNonNull(parts.get());
  }

  @Test
  void aSandboxIsNotContinued(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("sandbox-clock"), "PT-212H");
    Called called = palmares.callAlone("server", "-D", "palmares.data=" + folder);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(folder + " is a sandbox, which cannot be continued");
  }

  @Test
  void whatFilesCannotSetIsRefusedThere(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("application.yml"), "palmares.roles: scheduler");
    String files = "spring.config.additional-location=" + folder.toUri();
    Called called = palmares.callAlone("server", "--port", "0", "-D", files);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .contains("the setting 'palmares.roles' (", "application.yml")
        .contains(
            "has no effect in a file: set -D palmares.roles=… or the variable PALMARES_ROLES");
  }

  @Test
  void aManagementPortInUseIsReportedWithItsProperty() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String setting = "management.server.port=" + taken.getLocalPort();
      Called called = palmares.callAlone("server", "--roles", "scheduler", "-D", setting);
      assertThat(called.exitCode()).isEqualTo(1);
      assertThat(called.err())
          .contains("palmares: port %d is in use".formatted(taken.getLocalPort()))
          .contains("-D management.server.port=N (the management port)")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void aWrongSettingIsReportedWithItsNameAndItsSource() {
    Called unknown = palmares.callAlone("server", "-D", "palmares.verify.day=3");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("there is no setting 'palmares.verify.day' (an option -D of this call)")
        .contains("did you mean 'palmares.verify.days'?");
    Called wrong = palmares.callAlone("server", "--port", "0", "-D", "palmares.verify.days=few");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err())
        .isEqualTo(
            "starting Palmares\npalmares: palmares.verify.days is 'few', and must be a whole number"
                + " (an option -D of this call)\n");
    Called command = palmares.callAlone("runs", "-D", "palmares.verify.days=few");
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.err())
        .startsWith("no server runs in ./data: starting one for this command\n")
        .endsWith(wrong.err().replace("starting Palmares\n", ""));
  }

  /** All settings of the application, which take a tenth of its start. */
  @ConfigurationPropertiesScan(basePackageClasses = Palmares.class)
  @EnableConfigurationProperties(FlywayProperties.class)
  static class SettingsAlone {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          palmares.verify.days=0         | palmares.verify.days is '0', and must be 1 or more
          palmares.verify.at=99:99       | palmares.verify.at is '99:99', and must be a time of day in UTC such as 03:30
          palmares.digest.zone=Mars      | palmares.digest.zone is 'Mars', and must be a time zone such as Europe/Berlin
          palmares.http.body-timeout=x   | palmares.http.body-timeout is 'x', and must be a duration such as 30s or 10m
          palmares.http.memory=lots      | palmares.http.memory is 'lots', and must be a size such as 64KB or 40MB
          management.server.port=99999   | management.server.port is '99999', and must be a port, 0 to 65535
          server.port=70000              | server.port is '70000', and must be a port, 0 to 65535
          palmares.outbox.batch-size=0   | palmares.outbox.batch-size is '0', and must be 1 to 5000
          palmares.outbox.park-after=1s  | palmares.outbox.park-after is '1s', and must be no shorter than palmares.outbox.max-retry-delay, 1h
          palmares.runs.keep=90m         | palmares.runs.keep is '90m', and must be 1d or more
          palmares.live.answer-timeout=0 | palmares.live.answer-timeout is '0s', and must be 1ms or more
          palmares.console.runbook=x     | palmares.console.runbook is 'x', and must have {page} where the name of a page goes
          palmares.http.memory=39MB      | palmares.http.memory is '39MB', and must be 40MB or more
          palmares.outbox.webhook.url=s p | palmares.outbox.webhook.url must be an address such as https://host/path
          palmares.outbox.stream.key=palmares:{race:1}:meta | palmares.outbox.stream.key is 'palmares:{race:1}:meta', and must be a key that no live board has, such as palmares:facts
          spring.flyway.out-of-order=few | spring.flyway.out-of-order is 'few', and must be true or false
          """)
  void aWrongValueIsReportedInOneSentence(String setting, String message) {
    Called called = start("en_US", setting);
    assertThat(called.err())
        .isEqualTo("starting Palmares\npalmares: " + message + " (an option -D of this call)\n");
    assertThat(called.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          palmares.verify.days=0        | palmares.verify.days 为“0”，但必须为 1 或以上（此次调用的选项 -D）
          palmares.http.memory=lots     | palmares.http.memory 为“lots”，但必须为大小，例如 64KB 或 40MB（此次调用的选项 -D）
          server.port=70000             | server.port 为“70000”，但必须为端口，0 至 65535（此次调用的选项 -D）
          palmares.outbox.mail.to=me@x  | 缺少 palmares.outbox.mail.from：请指定邮件的发件人，例如 palmares@example.com
          """)
  void aWrongValueIsReportedInTheLanguageOfTheShell(String setting, String message) {
    assertThat(start("zh_CN", setting).err()).endsWith("\npalmares: " + message + "\n");
  }

  @Test
  void aWrongValueOfAnotherOptionIsNotSaidToBeOfMinusD() {
    String[] call = {"server", "--port", "70000", "-D", "palmares.infra=external"};
    Called called = Called.in("en_US", new SpringLauncher(SettingsAlone.class), call);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .endsWith(
            "server.port is '70000', and must be a port, 0 to 65535 (an option of this call)\n");
  }

  /** Starts nothing but the settings, which are wrong. */
  private static Called start(String language, String setting) {
    return Called.in(
        language,
        new SpringLauncher(SettingsAlone.class),
        "server",
        "-D",
        "spring.main.web-application-type=none",
        "-D",
        "palmares.infra=external", // starts no servers
        "-D",
        setting);
  }

  @Test
  void aWrongValueInAFileIsReportedWithTheFile(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("application.yml"), "palmares:\n  verify:\n    days: 0\n");
    String files = "spring.config.additional-location=" + folder.toUri();
    Called called = palmares.callAlone("server", "-D", files);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .contains(
            "palmares.verify.days is '0', and must be 1 or more (", "application.yml", " - 3:")
        .hasLineCount(2);
  }

  @Test
  void aSecondServerOnAFolderNamesTheFirst(@Autowired Environment environment) {
    String data = environment.getProperty("palmares.data");
    assumeThat(data).as("the tests' servers are embedded").isNotNull();
    Called called =
        Called.with(new SpringLauncher(Palmares.class), "", "server", "--data", "" + data);
    assertThat(called.exitCode()).isEqualTo(4);
    assertThat(called.err())
        .contains("palmares: The data folder ", " is already served by process ", "--data")
        .doesNotContain("\tat ");
  }

  @Test
  void commandsFindTheServerOfTheirFolderWhileItRuns() throws Exception {
    String data = Files.createDirectory(folder.resolve("found")).toString();
    Path file = folder.resolve("found").resolve("server.json");
    String[] pause = {"pause", "race", "--reason", "test", "--dry-run", "--data", data};
    try (var server = new Server("server", "--port", "0", "--data", data)) {
      server.line();
      server.awaitStarted();
      Called called = Called.alone(pause);
      assertThat(called.exitCode()).as(called.err()).isZero();
      assertThat(called.err()).contains("dry run").doesNotContain("starting");
      String[] list = {"lists", "create", "mine", "--reason", "local", "--data", data};
      assertThat(Called.alone(list).exitCode()).isZero();
      assertThat(Called.alone("audit", "--format", "csv", "--data", data).out())
          .contains("create-list,list:mine,local:");
      assertThat(file).exists();
      assertThat(server.stop()).isZero();
    }
    assertThat(file).doesNotExist();
    assertThatThrownBy(() -> Called.alone(pause))
        .hasMessageContaining("the application was started");
  }

  @Test
  void aSandboxRefusesAFolderWithOtherData() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path kept = Files.writeString(data.resolve("kept"), "of value");
    String time = "2026-11-20T23:58:00+08:00";
    Called called = Called.alone("server", "--clock", time, "--data", data.toString());
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("contains data other than a sandbox's: name an empty folder");
    assertThat(kept).hasContent("of value");
    assertThat(Called.alone("server", "--clock", "midnight").err())
        .contains("'--clock' takes a day such as 2026-11-20");
  }

  /** A slow start takes nothing of the two minutes before midnight. */
  @Test
  void theClockOfASandboxStartsWhenTheServerListens() {
    var atStart = new AtomicReference<Instant>();
    Launcher slow =
        launch -> {
          atStart.set(Objects.requireNonNull((Clock) launch.beans().get(Clock.class)).instant());
          throw UserError.failed(Sentence.verbatim("it does not start"));
        };
    String data = folder.resolve("sandbox").toString();
    Called called =
        Called.with(slow, "", "server", "--clock", "2026-11-20T23:58:00+08:00", "--data", data);
    assertThat(called.err()).isEqualTo("starting Palmares\npalmares: it does not start\n");
    assertThat(atStart).hasValue(Instant.parse("2026-11-20T15:58:00Z"));
  }

  @Test
  void anUnreachableServerIsReportedWithoutAStackTrace() {
    Called called =
        Called.with(
            new SpringLauncher(Palmares.class),
            "",
            "verify",
            "-D",
            "palmares.infra=external",
            "-D",
            "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/palmares",
            "-D",
            "spring.data.redis.host=127.0.0.1",
            "-D",
            "spring.data.redis.port=1");
    assertThat(called.exitCode()).isEqualTo(4);
    assertThat(called.err())
        .containsPattern("palmares: (PostgreSQL|Redis) at .*127.0.0.1:1.* cannot be used")
        .doesNotContain("\tat ");
  }

  /** A server on its own thread; an interrupt stops it, as a signal stops a process. */
  private final class Server implements AutoCloseable {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final Thread thread;

    Server(String... arguments) {
      PrintStream out =
          new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(@Nullable String line) {
              lines.add("" + line);
            }
          };
      thread = new Thread(() -> exitCode.complete(palmares.callInto(out, arguments)));
      thread.start();
    }

    String line() throws InterruptedException {
      return "" + lines.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits until the command has nothing left to print, and waits for its end. */
    void awaitStarted() {
      String latch = CountDownLatch.class.getName();
      await()
          .until(
              () ->
                  Stream.of(thread.getStackTrace())
                      .anyMatch(frame -> frame.getClassName().equals(latch)));
    }

    int stop() throws Exception {
      thread.interrupt();
      return exitCode.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      thread.interrupt();
      exitCode.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}
