package palmares.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names the user who runs this process, as the operating system does. */
final class ShellUser {
  private static final Path PROCESS = Path.of("/proc/self");

  private ShellUser() {}

  /** The name; its number if it has none, as in a container. No property of Java is believed. */
  static String name() {
    return ProcessHandle.current().info().user().orElseGet(ShellUser::number);
  }

  private static String number() {
    try {
      return "uid-" + Files.getAttribute(PROCESS, "unix:uid");
    } catch (IOException | UnsupportedOperationException e) {
      return "unknown";
    }
  }
}
