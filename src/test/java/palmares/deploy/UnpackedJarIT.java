package palmares.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code java -jar palmares.jar server}, which runs from unpacked libraries in a second process.
 * The servers here end before they start, because there are no boards, or wait for one in a pipe.
 */
class UnpackedJarIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String NO_BOARDS = "does not exist: give the folder";
  private static final String SECOND_PROCESS = "-XX:Tier4InvocationThreshold=200000";

  @TempDir private Path folder;
  private Path jar;
  private Path cache;

  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void linkJar() throws IOException {
    assumeThat(System.getProperty("os.name")).as("a system with sh").doesNotContain("Windows");
    Path packed = Path.of("target", "palmares-slim.jar").toAbsolutePath();
    jar = Files.createSymbolicLink(folder.resolve("palmares.jar"), packed);
    cache = folder.resolve("cache");
  }

  @Test
  void aServerRunsFromUnpackedLibrariesWithTheOptionsOfTheCall() throws Exception {
    Ended ended = call(List.of("-Xmx300m"), "server");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains(NO_BOARDS).hasLineCount(2);
    // Each process prints its options.
    assertThat(ended.out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("-XX:MaxHeapSize=314572800"))
        .satisfiesOnlyOnce(line -> assertThat(line).contains(SECOND_PROCESS));
    assertThat(unpacked()).hasSize(1);
    assertThat(names(unpacked().get(0).resolve("lib"))).isEqualTo(libraries());
    assertClassesAreThoseOfTheJar();
  }

  /** Else the pages, the migrations and the bill of materials could be missing. */
  private void assertClassesAreThoseOfTheJar() throws IOException {
    try (FileSystem packed = FileSystems.newFileSystem(jar);
        FileSystem own = FileSystems.newFileSystem(unpacked().get(0).resolve("lib/palmares.jar"))) {
      Path classes = packed.getPath("/BOOT-INF/classes");
      var different = new ArrayList<String>();
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          Path same = own.getPath("/").resolve(classes.relativize(file).toString());
          if (!Files.exists(same) || Files.mismatch(file, same) >= 0) {
            different.add(file.toString());
          }
        }
      }
      assertThat(different).isEmpty();
      assertThat(own.getPath("/META-INF/sbom/application.cdx.json")).exists();
      assertThat(own.getPath("/META-INF/services/java.nio.file.spi.FileSystemProvider"))
          .doesNotExist();
    }
  }

  @Test
  void whatWasCutOffIsUnpackedAgain() throws Exception {
    call(List.of(), "server");
    Path library = unpacked().get(0).resolve("lib/palmares.jar");
    long whole = Files.size(library);
    try (FileChannel file = FileChannel.open(library, StandardOpenOption.WRITE)) {
      file.truncate(whole / 2);
    }
    assertThat(call(List.of(), "server").err()).contains(NO_BOARDS).hasLineCount(2);
    assertThat(library).hasSize(whole);

    Path launcher = unpacked().get(0).resolve("bin/palmares");
    for (String sizes : List.of("", "\0\0\0\0")) { // as a machine that lost its power leaves it
      Files.writeString(launcher, "");
      Files.writeString(unpacked().get(0).resolve("sizes"), sizes);
      assertThat(call(List.of(), "server").err()).contains(NO_BOARDS).hasLineCount(2);
      assertThat(launcher).as("a list of sizes that was not written").isNotEmptyFile();
    }
  }

  @Test
  void aServerThatRunsKeepsItsLibrariesWhenItsJarIsReplacedUntilASignalEndsIt() throws Exception {
    try (var server = new WaitingServer()) {
      Path running = unpacked().get(0);
      change(jar, "2");
      call(List.of(), "server");
      assertThat(server.second().isAlive()).isTrue();
      assertThat(unpacked()).hasSize(2).contains(running);
      assertThat(running.resolve("lib/palmares.jar")).exists();
      assertASignalEndsBoth(server);
    }
  }

  private static void assertASignalEndsBoth(WaitingServer server) throws InterruptedException {
    server.first().destroy();
    assertThat(server.first().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(server.first().exitValue()).isEqualTo(143);
    assertThat(server.second().isAlive()).isFalse();
  }

  @Test
  void anotherBuildReplacesTheFormerOneUnlessItRuns() throws Exception {
    call(List.of(), "server");
    Path first = unpacked().get(0);
    Files.createDirectories(cache.resolve(first.getFileName() + ".part.999999999"));
    try (FileChannel lock = FileChannel.open(first.resolve("lock"), StandardOpenOption.READ);
        var running = lock.lock(0, Long.MAX_VALUE, true)) {
      assertThat(running.isShared()).isTrue();
      change(jar, "2");
      call(List.of(), "server");
      assertThat(unpacked()).hasSize(2).contains(first);
    }
    change(jar, "3");
    call(List.of(), "server");
    assertThat(unpacked()).hasSize(1).doesNotContain(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n", "-Dx=a*"})
  void optionsThatASecondProcessCannotHaveStayWithTheFirst(String option) throws Exception {
    Ended ended = call(List.of(option), "server");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains(NO_BOARDS);
    assertThat(ended.out()).doesNotContain(SECOND_PROCESS);
    assertThat(cache).doesNotExist();
  }

  @Test
  void helpAndOtherCommandsAndOffUnpackNothing() throws Exception {
    assertThat(call(List.of(), "server", "--help").exitCode()).isZero();
    assertThat(call(List.of(), "help").exitCode()).isZero();
    assertThat(call(List.of(), "server", "--data", "\uFFFD").err()).contains("cannot be read");
    cache = Path.of("off");
    assertThat(call(List.of(), "server").err()).contains(NO_BOARDS).hasLineCount(2);
    assertThat(folder.resolve("cache")).doesNotExist();
  }

  @Test
  void aFolderThatCannotBeWrittenIsReportedAndTheFirstProcessServes() throws Exception {
    cache = Files.writeString(folder.resolve("file"), "not a folder").resolve("cache");
    Ended ended = call(List.of(), "server");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err())
        .startsWith("palmares: starts from %s itself".formatted(jar))
        .contains(NO_BOARDS, "PALMARES_CACHE=off")
        .hasLineCount(3);
  }

  @Test
  void theSecondProcessEndsWhenTheFirstIsKilled() throws Exception {
    try (var server = new WaitingServer()) {
      server.first().destroyForcibly();
      await().atMost(PATIENCE).until(() -> !server.second().isAlive());
    }
  }

  /** A server that reads its settings from a pipe in which nothing is. */
  private final class WaitingServer implements AutoCloseable {
    private final Process first;
    private final ProcessHandle second;
    private final RandomAccessFile settings;

    WaitingServer() throws IOException, InterruptedException {
      Path pipe = folder.resolve("settings.yml");
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      settings = new RandomAccessFile(pipe.toFile(), "rw");
      Files.createDirectories(folder.resolve("jobs"));
      first = start(List.of(), "server", "-D", "spring.config.additional-location=file:" + pipe);
      second =
          await().atMost(PATIENCE).until(this::secondOfFirst, Optional::isPresent).orElseThrow();
    }

    private Optional<ProcessHandle> secondOfFirst() {
      return first
          .descendants()
          .filter(each -> each.info().command().orElse("").endsWith("java"))
          .findFirst();
    }

    Process first() {
      return first;
    }

    ProcessHandle second() {
      return second;
    }

    @Override
    public void close() throws IOException {
      settings.close();
      first.destroyForcibly();
      second.destroyForcibly();
    }
  }

  private Ended call(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(options, arguments);
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), out, Files.readString(folder.resolve("err")));
  }

  private Process start(List<String> options, String... arguments) throws IOException {
    var call = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    // The processes end before optimized code would save the time that compiling it takes.
    call.addAll(List.of("-XX:+PrintCommandLineFlags", "-XX:TieredStopAtLevel=1"));
    call.addAll(options);
    call.addAll(List.of("-jar", jar.toString()));
    call.addAll(List.of(arguments));
    if (arguments[0].equals("server")) {
      call.addAll(List.of("--jobs", folder.resolve("jobs").toString()));
    }
    var command = new ProcessBuilder(call).redirectError(folder.resolve("err").toFile());
    command.environment().keySet().removeIf(name -> name.startsWith("PALMARES_"));
    command.environment().put("PALMARES_CACHE", cache.toString());
    return command.start();
  }

  private List<Path> unpacked() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.toList();
    }
  }

  /** The names in a folder, or in a folder of a jar. */
  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private List<String> libraries() throws IOException {
    try (FileSystem packed = FileSystems.newFileSystem(jar)) {
      var names = new ArrayList<>(names(packed.getPath("/BOOT-INF/lib")));
      names.add("palmares.jar");
      return names.stream().sorted().toList();
    }
  }

  /** Another build at the same place. */
  private static void change(Path jar, String build) throws IOException {
    Path changed = jar.resolveSibling("changed.jar");
    Files.copy(jar, changed);
    try (FileSystem files = FileSystems.newFileSystem(changed)) {
      Files.writeString(files.getPath("/BOOT-INF/classes/build"), build);
    }
    Files.move(changed, jar, StandardCopyOption.REPLACE_EXISTING);
  }
}
