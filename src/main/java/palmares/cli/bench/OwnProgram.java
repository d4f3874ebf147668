package palmares.cli.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes.Name;
import java.util.jar.JarFile;

/** Starts this program once more, in a process of its own. */
final class OwnProgram {
  private static final String MAIN = "palmares.Palmares";

  private OwnProgram() {}

  /**
   * What starts it: from the same jar, or from the same classes.
   *
   * @param machine options of the JVM
   */
  static List<String> command(List<String> machine, String... arguments) throws IOException {
    String classes = classes();
    var command = new ArrayList<>(java(machine));
    command.addAll(isJar() ? List.of("-jar", classes) : List.of("-cp", classes, MAIN));
    command.addAll(List.of(arguments));
    return command;
  }

  /** What starts another release of it, from its jar. */
  static List<String> ofJar(Path jar, List<String> machine) {
    var command = new ArrayList<>(java(machine));
    command.addAll(List.of("-jar", jar.toString()));
    return command;
  }

  private static List<String> java(List<String> machine) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(machine);
    return command;
  }

  /** Whether it was called by {@code java -jar}. */
  static boolean isJar() throws IOException {
    String classes = classes();
    if (classes.contains(File.pathSeparator) || !classes.endsWith(".jar")) {
      return false;
    }
    try (var jar = new JarFile(classes)) {
      return jar.getManifest() != null
          && MAIN.equals(jar.getManifest().getMainAttributes().getValue(Name.MAIN_CLASS));
    }
  }

  private static String classes() {
    return System.getProperty("java.class.path");
  }
}
