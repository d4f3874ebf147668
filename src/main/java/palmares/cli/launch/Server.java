package palmares.cli.launch;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;

/**
 * A server that a command calls.
 *
 * @param url with the path under which the server is, if it is not the root of its host
 * @param token its API key, or its local token; null if the call has none
 * @param user who calls by a local token; null by an API key
 */
record Server(URI url, @Nullable String token, @Nullable String user) {
  /**
   * Checks an address.
   *
   * @throws UserError if it is no address of a server
   */
  static Server of(String address, @Nullable String token) {
    try {
      URI url = new URI(address.endsWith("/") ? address.replaceAll("/+$", "") : address);
      boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (http && url.getHost() != null && url.getUserInfo() == null && url.getQuery() == null) {
        return new Server(url, token == null ? null : token.strip(), null);
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    throw UserError.badInput(new CommandSentences.NoAddress(address));
  }

  /**
   * Reads a profile of the user.
   *
   * @param token replaces the profile's; null for none
   * @throws UserError if there is none of that name, or others may read the file
   */
  static Server ofProfile(String name, @Nullable String token) {
    Path file = file();
    var profiles = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      requirePrivate(file);
      profiles.load(reader);
    } catch (IOException e) {
      throw UserError.badInput(new CommandSentences.NoProfile(name, file.toString()));
    }
    String url = profiles.getProperty(name + ".url");
    if (url == null) {
      throw UserError.badInput(new CommandSentences.ProfileWithoutUrl(name, file.toString()));
    }
    return of(url.strip(), token != null ? token : profiles.getProperty(name + ".token"));
  }

  private static Path file() {
    String config = System.getenv("XDG_CONFIG_HOME");
    Path folder =
        config == null || config.isBlank()
            ? Path.of(System.getProperty("user.home"), ".config")
            : Path.of(config);
    return folder.resolve("palmares").resolve("profiles");
  }

  /** Tokens are secrets. Only files of POSIX systems say who may read them. */
  private static void requirePrivate(Path file) throws IOException {
    if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
      return;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.contains(PosixFilePermission.GROUP_READ)
        || permissions.contains(PosixFilePermission.OTHERS_READ)) {
      throw UserError.badInput(new CommandSentences.PublicTokens(file.toString()));
    }
  }
}
