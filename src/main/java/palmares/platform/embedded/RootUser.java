package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** PostgreSQL refuses to run as root; in a user namespace of its own, root is nobody. */
final class RootUser {
  private static final List<String> NAMESPACE = List.of("unshare", "--user");

  private RootUser() {}

  /** What to put before a command of PostgreSQL: nothing, unless this is root on Linux. */
  static List<String> detour(DataFolder folder) throws IOException {
    boolean linux = System.getProperty("os.name").equals("Linux");
    boolean root = Integer.valueOf(0).equals(Files.getAttribute(folder.claim(), "unix:uid"));
    if (!linux || !root) {
      return List.of();
    }
    requireNamespaces(folder);
    return NAMESPACE;
  }

  private static void requireNamespaces(DataFolder folder) {
    try {
      Subprocess probe =
          Subprocess.run(
              folder.root(), Duration.ofSeconds(10), List.of(NAMESPACE.get(0), "--user", "true"));
      if (!probe.succeeded()) {
        throw forbidden(probe.output().strip());
      }
    } catch (IOException e) {
      throw forbidden(String.valueOf(e.getMessage()));
    }
  }

  private static ServersUnavailable forbidden(String reason) {
    return new ServersUnavailable(
        "PostgreSQL does not run as root, and this machine forbids the user namespace that would"
            + " get round that (%s).".formatted(reason),
        "Run as an ordinary user who may write to the data folder (runuser -u NAME -- java -jar"
            + " palmares.jar ...), allow user namespaces (sysctl user.max_user_namespaces; in"
            + " Docker a seccomp profile), or set spring.datasource.* and spring.data.redis.* to"
            + " servers of your own.");
  }
}
