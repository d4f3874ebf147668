package palmares.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/palmares}, with a small program in place of the jar. */
class LauncherTest {
  private static final String COULD_BE_FASTER = "no class archive";

  @TempDir private Path folder;
  private Path launcher;
  private Path cache;

  /** Stands for the program: prints its arguments, and exits with their number. */
  static final class Program {
    private Program() {}

    public static void main(String... arguments) {
      System.out.println(String.join(" ", arguments));
      System.exit(arguments.length);
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
  void theFirstShortCommandMakesTheArchiveThatLaterOnesUse() throws Exception {
    Ended first = call("runs", "a b");
    assertThat(first).isEqualTo(new Ended(2, "runs a b\n", ""));
    List<Path> archives = archives();
    assertThat(archives).hasSize(1);
    assertThat(call("runs")).isEqualTo(new Ended(1, "runs\n", ""));
    assertThat(archives()).isEqualTo(archives);
    assertThat(
            callWith("JAVA_OPTS", "-Xlog:class+load", "runs")
                .out()
                .lines()
                .filter(line -> line.contains(Program.class.getName())))
        .singleElement()
        .asString()
        .contains("shared objects file");
  }

  @Test
  void anArchiveThatIsDamagedOrOfAnotherJavaIsIgnored() throws Exception {
    call("runs");
    Path archive = archives().get(0);
    Files.delete(archive);
    Files.writeString(archive, "made by another Java");
    assertThat(call("runs", "x")).isEqualTo(new Ended(2, "runs x\n", ""));
  }

  @Test
  void aFolderThatCannotBeWrittenIsReportedAndTheCommandRuns() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    Ended ended = callWith("PALMARES_CACHE", file.resolve("cache").toString(), "runs", "x");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.out()).isEqualTo("runs x\n");
    assertThat(ended.err())
        .startsWith("palmares: " + COULD_BE_FASTER)
        .contains(file + "/cache cannot be written", "PALMARES_CACHE=off")
        .hasLineCount(1);
    assertThat(callWith("PALMARES_CACHE", "off", "runs").err()).isEmpty();
  }

  @Test
  void aFullDiskIsReportedBeforeJavaWouldFailOnIt() throws Exception {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path df = Files.writeString(tools.resolve("df"), "#!/bin/sh\necho; echo d 9999 9998 1 99% /\n");
    assertThat(df.toFile().setExecutable(true)).isTrue();
    Ended ended = callWith("PATH", tools + ":" + System.getenv("PATH"), "runs", "x");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.out()).isEqualTo("runs x\n");
    assertThat(ended.err()).contains(COULD_BE_FASTER, "less than 150 MB free").hasLineCount(1);
    assertThat(archives()).isEmpty();
  }

  @Test
  void aServerMakesAnArchiveOnlyInTraining() throws Exception {
    assertThat(call("server")).isEqualTo(new Ended(1, "server\n", ""));
    assertThat(cache).doesNotExist();
    assertThat(callWith("PALMARES_CACHE_TRAINING", "on", "server").exitCode()).isEqualTo(1);
    assertThat(archives()).hasSize(1);
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
      return files.toList();
    }
  }

  private Ended call(String... arguments) throws IOException, InterruptedException {
    return callWith("PALMARES_CACHE", cache.toString(), arguments);
  }

  private Ended callWith(String variable, String value, String... arguments)
      throws IOException, InterruptedException {
    Path err = folder.resolve("err");
    var command =
        new ProcessBuilder(
                Stream.concat(Stream.of("sh", launcher.toString()), Stream.of(arguments)).toList())
            .redirectError(err.toFile());
    command.environment().keySet().removeIf(name -> name.startsWith("PALMARES_"));
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().put("PALMARES_CACHE", cache.toString());
    command.environment().remove("JAVA_OPTS");
    command.environment().put(variable, value);
    Process process = command.start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), out, Files.readString(err));
  }
}
