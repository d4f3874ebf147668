package palmares.bench.cli;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes.Name;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import palmares.Palmares;

/** Command lines that start the benchmark or Palmares in another process. */
final class OwnProgram {
  private OwnProgram() {}

  /** Starts the benchmark, from the jar or the classes that this process runs from. */
  static List<String> bench(List<String> jvmOptions, String... arguments) throws IOException {
    return isJar()
        ? jar(Path.of(classPath()), jvmOptions, arguments)
        : classes(BenchCommand.class, jvmOptions, arguments);
  }

  /** Starts Palmares from the classes that this process runs from, in a JVM of the same kind. */
  static List<String> palmares(String... arguments) {
    return classes(Palmares.class, tuning(), arguments);
  }

  /** The options that say of which kind this JVM is. */
  static List<String> tuning() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-XX:"))
        .toList();
  }

  /** Starts a jar. */
  static List<String> jar(Path jar, List<String> jvmOptions, String... arguments) {
    return java(jvmOptions, List.of("-jar", jar.toString()), arguments);
  }

  /** Starts a jar, or the launcher of a distribution. */
  static List<String> jarOrLauncher(Path file, String... arguments) {
    return file.toString().endsWith(".jar")
        ? jar(file, List.of(), arguments)
        : Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList();
  }

  private static List<String> classes(Class<?> main, List<String> jvmOptions, String... arguments) {
    return java(jvmOptions, List.of("-cp", classPath(), main.getName()), arguments);
  }

  private static List<String> java(
      List<String> jvmOptions, List<String> program, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(program);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Whether this process was started with {@code java -jar palmares-bench.jar}. */
  static boolean isJar() throws IOException {
    String classPath = classPath();
    return !classPath.contains(File.pathSeparator)
        && classPath.endsWith(".jar")
        && BenchCommand.class.getName().equals(mainClass(Path.of(classPath)));
  }

  /** The jar named {@code palmares.jar} in the folder of the benchmark's jar. */
  static Path siblingJar() {
    return Path.of(classPath()).resolveSibling("palmares.jar");
  }

  /** Whether the jar is a release of Palmares from when the benchmark was one of its commands. */
  static boolean hasBenchCommand(Path jar) throws IOException {
    return Palmares.class.getName().equals(mainClass(jar));
  }

  /** The class that the jar starts; Spring Boot's own main class starts another one. */
  private static String mainClass(Path file) throws IOException {
    try (var jar = new JarFile(file.toFile())) {
      var manifest = jar.getManifest();
      if (manifest == null) {
        return "";
      }
      String started = manifest.getMainAttributes().getValue("Start-Class");
      return started != null
          ? started
          : String.valueOf(manifest.getMainAttributes().getValue(Name.MAIN_CLASS));
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }
}
