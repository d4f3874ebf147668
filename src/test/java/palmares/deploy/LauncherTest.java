package palmares.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bin/palmares}, with a small program in place of the jar. */
class LauncherTest {
  private static final String COULD_BE_FASTER = "no class archive";

  @TempDir private Path folder;
  private Path launcher;
  private Path cache;

  /** Prints its arguments and input, and is ready unless an argument is {@code fail}. */
  static final class Program {
    private Program() {}

    public static void main(String... arguments) throws IOException {
      System.out.write((String.join(" ", arguments) + "\n").getBytes(UTF_8));
      List<String> words = List.of(arguments);
      if (words.contains("fail")) {
        System.exit(2);
      }
      if (words.contains("language")) {
        System.out.println(System.getenv("PALMARES_LANGUAGE") + " " + System.getenv("LC_ALL"));
      }
      String mark = System.getProperty("palmares.launcher-mark");
      if (mark != null) {
        Files.createFile(Path.of(mark));
      }
      if (words.contains("read")) {
        System.in.transferTo(System.out);
      }
      System.exit(0);
    }
  }

  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void unpack() throws IOException {
    assumeThat(System.getProperty("os.name")).as("a system with sh").doesNotContain("Windows");
    Path bin = Files.createDirectories(folder.resolve("home/bin"));
    launcher = Files.copy(Path.of("src", "deploy", "bin", "palmares"), bin.resolve("palmares"));
    cache = folder.resolve("cache");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Program.class.getName());
    Path jar = Files.createDirectories(folder.resolve("home/lib")).resolve("palmares.jar");
    String name = Program.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(jar);
        var packed = new JarOutputStream(file, manifest);
        var code = Program.class.getResourceAsStream("/" + name)) {
      packed.putNextEntry(new JarEntry(name));
      code.transferTo(packed);
    }
  }

  @Test
  void theFirstServerMakesTheArchiveThatLaterCallsUse() throws Exception {
    Ended first = call("server", "a b");
    assertThat(first).isEqualTo(new Ended(0, "server a b\n", ""));
    List<Path> archives = archives();
    assertThat(archives).hasSize(1);
    for (String later : List.of("server", "demo", "runs")) {
      assertThat(call(later)).isEqualTo(new Ended(0, later + "\n", ""));
      assertThat(archives()).isEqualTo(archives);
      assertThat(
              callWith("JAVA_OPTS", "-Xlog:class+load", later)
                  .out()
                  .lines()
                  .filter(line -> line.contains(Program.class.getName())))
          .singleElement()
          .asString()
          .contains("shared objects file");
    }
  }

  /** As under cron, and where the locale is not installed; other encodings remain. */
  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX", "xx_XX.UTF-8"})
  void argumentsAreReadAsUtf8WhereTheLocaleHasNoEncoding(String locale) throws Exception {
    Path called = folder.resolve("called");
    Files.writeString(called, "exec sh '%s' help jos\u00e9\n".formatted(launcher));
    launcher = called;
    assertThat(callWith("LC_ALL", locale)).isEqualTo(new Ended(0, "help jos\u00e9\n", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "LC_ALL,            zh_XX.UTF-8, zh_XX.UTF-8 C.UTF-8",
    "LC_ALL,            C,           C C.UTF-8",
    "LC_ALL,            C.UTF-8,     null C.UTF-8",
    "PALMARES_LANGUAGE, zh,          zh C.UTF-8",
  })
  void theLanguageOfALocaleThatIsNotInstalledRemains(String variable, String value, String language)
      throws Exception {
    assertThat(callWith(variable, value, "language").out())
        .isEqualTo("language\n" + language + "\n");
  }

  @Test
  void serversReadNamesOfFilesAsUtf8() {
    for (String file : List.of("systemd/palmares.service", "Dockerfile")) {
      assertThat(Path.of("src", "deploy").resolve(file)).content().contains("LC_ALL=C.UTF-8");
    }
  }

  @Test
  void whatUsesFewClassesMakesNoArchive() throws Exception {
    assertThat(call("server", "fail")).isEqualTo(new Ended(2, "server fail\n", ""));
    assertThat(cache).isEmptyDirectory();
    for (String few : List.of("runs", "boards", "help", "--version")) {
      assertThat(call(few, "new")).isEqualTo(new Ended(0, few + " new\n", ""));
    }
    callWith("PALMARES_CACHE_TRAINING", "off", "server");
    assertThat(cache).isEmptyDirectory();
    call("demo");
    assertThat(archives()).hasSize(1);
  }

  @Test
  void anArchiveThatWasCutOffIsMadeAgain() throws Exception {
    call("server");
    Path archive = archives().get(0);
    byte[] whole = Files.readAllBytes(archive);
    Files.delete(archive);
    Files.write(archive, Arrays.copyOf(whole, whole.length / 2));
    assertThat(call("server", "x")).isEqualTo(new Ended(0, "server x\n", ""));
    assertThat(archives()).containsExactly(archive);
    assertThat(archive).hasSize(whole.length);
  }

  @Test
  void anArchiveOfAnotherJavaIsMadeAgain() throws Exception {
    call("server");
    Path archive = archives().get(0);
    Path size = archive.resolveSibling(archive.getFileName() + ".size");
    String mark = Files.readString(size);
    byte[] own = Files.readAllBytes(archive);
    // Both files of another Java, under the names of this one's: Java ignores such an archive.
    byte[] foreign = new byte[4096];
    Files.delete(archive);
    Files.write(archive, foreign);
    Files.writeString(
        size,
        "%d palmares-25.0.1-1-2\n".formatted(foreign.length),
        StandardOpenOption.TRUNCATE_EXISTING);
    assertThat(call("server", "x")).isEqualTo(new Ended(0, "server x\n", ""));
    assertThat(archives()).containsExactly(archive);
    assertThat(archive).hasSize(own.length);
    assertThat(size).hasContent(mark);
  }

  @Test
  void anArchiveThatJavaRejectsIsMadeAgainOnceAndThenReported() throws Exception {
    call("server");
    FileTime made = Files.getLastModifiedTime(archives().get(0));
    Path jar = folder.resolve("home/lib/palmares.jar");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH.plusSeconds(1)));
    call("server");
    assertThat(call("server", "x")).isEqualTo(new Ended(0, "server x\n", ""));
    FileTime madeAgain = Files.getLastModifiedTime(archives().get(0));
    assertThat(madeAgain).isGreaterThan(made);

    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH.plusSeconds(2)));
    call("server");
    Ended ended = call("server", "x");
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err())
        .contains(COULD_BE_FASTER, "the last start rejected " + archives().get(0))
        .hasLineCount(1);
    assertThat(Files.getLastModifiedTime(archives().get(0))).isEqualTo(madeAgain);
  }

  @Test
  void anArchiveOfAnotherPlaceStaysAndOneOfAnOlderBuildIsReplaced() throws Exception {
    call("server");
    Path first = archives().get(0);
    Path other = folder.resolve("other");
    for (String file : List.of("bin/palmares", "lib/palmares.jar")) {
      Files.createDirectories(other.resolve(file).getParent());
      Files.copy(folder.resolve("home").resolve(file), other.resolve(file));
    }
    launcher = other.resolve("bin/palmares");
    call("server");
    assertThat(archives()).hasSize(2).contains(first);
    List<Path> before = archives();

    try (var jar = FileSystems.newFileSystem(other.resolve("lib/palmares.jar"))) {
      Files.writeString(jar.getPath("build"), "2");
    }
    call("server");
    assertThat(archives()).hasSize(2).contains(first).isNotEqualTo(before);
  }

  @Test
  void theCommandThatMakesTheArchiveReadsItsInput() throws Exception {
    Process process = start("PALMARES_CACHE", cache.toString(), "server", "read");
    try (var input = process.getOutputStream()) {
      input.write("from a pipe".getBytes(UTF_8));
    }
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("server read\nfrom a pipe");
    assertThat(process.waitFor()).isZero();
    assertThat(archives()).hasSize(1);
  }

  @Test
  void aServerThatIsStoppedMakesTheArchive() throws Exception {
    Files.createDirectories(cache);
    Path stale = Files.createFile(cache.resolve("palmares-17-1.archive.part.999999999"));
    Process process = start("PALMARES_CACHE", cache.toString(), "server", "read");
    assertThat(process.inputReader(UTF_8).readLine()).isEqualTo("server read");
    List<ProcessHandle> started = process.descendants().toList();
    assertThat(started).hasSize(1);
    await().until(this::marked);
    process.toHandle().destroy();
    assertThat(process.waitFor()).isEqualTo(143);
    assertThat(started).noneMatch(ProcessHandle::isAlive);
    assertThat(stale).doesNotExist();
    assertThat(archives()).hasSize(1);
  }

  private boolean marked() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.anyMatch(file -> file.toString().endsWith(".ready"));
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsReportedAndTheCommandRuns() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    Ended ended = callWith("PALMARES_CACHE", file.resolve("cache").toString(), "server", "x");
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("server x\n");
    assertThat(ended.err())
        .startsWith("palmares: " + COULD_BE_FASTER)
        .contains(file + "/cache cannot be written", "PALMARES_CACHE=off")
        .hasLineCount(1);
    assertThat(callWith("PALMARES_CACHE", "off", "server").err()).isEmpty();
  }

  @Test
  void aFullDiskIsReportedBeforeJavaWouldFailOnIt() throws Exception {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path df = Files.writeString(tools.resolve("df"), "#!/bin/sh\necho; echo d 9999 9998 1 99% /\n");
    assertThat(df.toFile().setExecutable(true)).isTrue();
    Ended ended = callWith("PATH", tools + ":" + System.getenv("PATH"), "server", "x");
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("server x\n");
    assertThat(ended.err()).contains(COULD_BE_FASTER, "less than 150 MB free").hasLineCount(1);
    assertThat(archives()).isEmpty();
  }

  @Test
  void inTrainingTheArchiveIsMadeAgain() throws Exception {
    call("server");
    FileTime made = Files.getLastModifiedTime(archives().get(0));
    assertThat(callWith("PALMARES_CACHE_TRAINING", "on", "server").exitCode()).isZero();
    assertThat(Files.getLastModifiedTime(archives().get(0))).isGreaterThan(made);
  }

  @Test
  void aWrongJavaIsReported() throws Exception {
    Ended ended = callWith("JAVA_HOME", folder.toString(), "runs");
    assertThat(ended)
        .isEqualTo(
            new Ended(
                2,
                "",
                "palmares: JAVA_HOME is %s, where there is no bin/java\n".formatted(folder)));
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.filter(file -> file.toString().endsWith(".archive")).sorted().toList();
    }
  }

  private Ended call(String... arguments) throws IOException, InterruptedException {
    return callWith("PALMARES_CACHE", cache.toString(), arguments);
  }

  private Ended callWith(String variable, String value, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(variable, value, arguments);
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), out, Files.readString(folder.resolve("err")));
  }

  private Process start(String variable, String value, String... arguments) throws IOException {
    var command =
        new ProcessBuilder(
                Stream.concat(Stream.of("sh", launcher.toString()), Stream.of(arguments)).toList())
            .redirectError(folder.resolve("err").toFile());
    command.environment().keySet().removeIf(name -> name.startsWith("PALMARES_"));
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().put("PALMARES_CACHE", cache.toString());
    command.environment().put("LC_ALL", "C");
    command.environment().remove("JAVA_OPTS");
    command.environment().put(variable, value);
    return command.start();
  }
}
