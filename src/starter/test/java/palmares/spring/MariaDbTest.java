package palmares.spring;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same on MariaDB, where its server and the tool that makes its files are installed. */
class MariaDbTest extends StarterTest {
  private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
  private static final Path TOOL = Path.of("/usr/bin/my_print_defaults");

  @TempDir private static Path folder;
  private static Process server;
  private static String url;

  @BeforeAll
  static void startServer() throws Exception {
    assumeTrue(Files.isExecutable(SERVER) && Files.isExecutable(TOOL), "there is no MariaDB");
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String data = "--datadir=" + folder.resolve("data");
    start(
            "/usr/bin/mariadb-install-db",
            "--no-defaults",
            data,
            "--auth-root-authentication-method=normal",
            "--user=root")
        .waitFor();
    server =
        start(
            SERVER.toString(),
            "--no-defaults",
            data,
            "--user=root",
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=" + folder.resolve("socket"),
            "--innodb-flush-log-at-trx-commit=0");
    url = "jdbc:mariadb://127.0.0.1:" + port + "/";
    await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> connect().isValid(1));
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(url + "?user=root");
  }

  @AfterAll
  static void stopServer() throws InterruptedException {
    if (server != null) {
      server.destroy();
      server.waitFor();
    }
  }

  @Override
  String database(String name) throws SQLException {
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      statement.execute("create or replace database " + name);
    }
    return url + name + "?user=root";
  }
}
