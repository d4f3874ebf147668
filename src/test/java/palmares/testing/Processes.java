package palmares.testing;

import java.nio.file.Path;
import java.util.List;

/** What runs on this machine. */
public final class Processes {
  private Processes() {}

  /** The command lines that name the folder, as those of its servers do. */
  public static List<String> naming(Path folder) {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(folder.toString()))
        .toList();
  }
}
