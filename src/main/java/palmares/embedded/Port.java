package palmares.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port of the loopback address that nobody listens on. */
final class Port {
  static final String HOST = "127.0.0.1";

  private Port() {}

  static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }
}
