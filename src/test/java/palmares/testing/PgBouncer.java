package palmares.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.FileSystemUtils;

/** A PgBouncer that has a database once for each of its modes. */
public final class PgBouncer implements AutoCloseable {
  private final Path folder;
  private final int port;
  private final Process process;

  private PgBouncer(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param url of a database, as JDBC names it
   */
  public static PgBouncer to(String url, String user, String password) throws IOException {
    Path program = Installed.require("pgbouncer", "pgbouncer");
    var database = URI.create(url.substring("jdbc:".length()));
    String target =
        "host=%s port=%d dbname=%s user=%s password=%s"
            .formatted(
                database.getHost(),
                database.getPort(),
                database.getPath().substring(1),
                user,
                password);
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path folder = Files.createTempDirectory("pgbouncer-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path settings =
        Files.writeString(
            folder.resolve("pgbouncer.ini"),
            """
            [databases]
            transaction = %1$s pool_mode=transaction
            session = %1$s pool_mode=session
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %2$d
            unix_socket_dir =
            auth_type = any
            ignore_startup_parameters = extra_float_digits
            """
                .formatted(target, port));
    var command = new ArrayList<>(List.of(program.toString(), settings.toString()));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(1, List.of("-u", "nobody")); // It does not run as root.
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    var started = new PgBouncer(folder, port, process);
    await().until(started::answers);
    return started;
  }

  private boolean answers() throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError(Files.readString(folder.resolve("log")));
    }
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The URL of the database.
   *
   * @param mode {@code session} or {@code transaction}
   */
  public String url(String mode) {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, mode);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    FileSystemUtils.deleteRecursively(folder);
  }
}
