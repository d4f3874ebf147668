package palmares.platform.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port of the loopback address that nobody listens on. */
final class Port {
  static final String HOST = "127.0.0.1";

  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 200;

  private Port() {}

  /**
   * Not one of those that systems give to outgoing connections: between our look and the server's
   * start one of these could be taken.
   */
  static int free() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      try (var socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // The next one.
      }
    }
    throw new IOException("no free port from %d to %d on %s".formatted(LOWEST, HIGHEST, HOST));
  }
}
