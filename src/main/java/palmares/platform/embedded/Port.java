package palmares.platform.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free ports of the loopback address. */
final class Port {
  static final String HOST = "127.0.0.1";

  private static final int MIN_PORT = 20_000;
  private static final int MAX_PORT = 32_000;
  private static final int MAX_ATTEMPTS = 200;

  private Port() {}

  /**
   * Finds a free port outside the range that systems use for outgoing connections, one of which
   * could take the port before the server starts.
   */
  static int findFree() throws IOException {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(MIN_PORT, MAX_PORT);
      try (var socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
        return socket.getLocalPort();
      } catch (BindException inUse) {
        // Tries another one.
      }
    }
    throw new IOException("no free port from %d to %d on %s".formatted(MIN_PORT, MAX_PORT, HOST));
  }
}
