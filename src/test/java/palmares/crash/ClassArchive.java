package palmares.crash;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The classes of this process in a form that other processes share, with which a server starts for
 * two thirds of the processor time: jars in place of folders, and an archive of what a first start
 * has loaded. It is made for what starts often.
 */
final class ClassArchive {
  private static final int WORTH_IT = 8;
  private static int starts;

  private static final Path FOLDER = Path.of("target", "archived-classes").toAbsolutePath();
  private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");

  private ClassArchive() {}

  /** Starts a server whose classes are archived when it ends. */
  interface FirstStart {
    void with(List<String> options) throws IOException;
  }

  /**
   * Returns the class path and further options of a process that is started.
   *
   * @param first starts a server that serves for a moment, if an archive is made now
   */
  static synchronized List<String> options(FirstStart first) throws IOException {
    starts++;
    if (starts < WORTH_IT) {
      return List.of("-cp", System.getProperty("java.class.path"));
    }
    if (starts == WORTH_IT) {
      Files.createDirectories(FOLDER);
      Files.deleteIfExists(ARCHIVE);
      first.with(List.of("-XX:ArchiveClassesAtExit=" + ARCHIVE, "-cp", packed()));
    }
    return Files.exists(ARCHIVE)
        ? List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:cds=off", "-cp", classPath())
        : List.of("-cp", System.getProperty("java.class.path"));
  }

  private static String packed() throws IOException {
    for (String entry : entries()) {
      if (Files.isDirectory(Path.of(entry))) {
        pack(Path.of(entry));
      }
    }
    return classPath();
  }

  private static String classPath() {
    return String.join(
        File.pathSeparator,
        entries().stream()
            .map(Path::of)
            .map(entry -> Files.isDirectory(entry) ? jar(entry) : entry)
            .map(Path::toString)
            .toList());
  }

  private static List<String> entries() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  private static Path jar(Path folder) {
    return FOLDER.resolve(folder.getFileName() + ".jar");
  }

  private static void pack(Path folder) throws IOException {
    var files = new ArrayList<Path>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted().skip(1).forEach(files::add);
    }
    try (OutputStream file = Files.newOutputStream(jar(folder));
        var zip = new ZipOutputStream(file)) {
      zip.setLevel(1);
      for (Path each : files) {
        String name = folder.relativize(each).toString().replace('\\', '/');
        // Scans for classes ask for the folders.
        zip.putNextEntry(new ZipEntry(Files.isDirectory(each) ? name + "/" : name));
        if (Files.isRegularFile(each)) {
          Files.copy(each, zip);
        }
      }
    }
  }
}
