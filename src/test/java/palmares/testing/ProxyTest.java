package palmares.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that answers by what it was asked, behind a proxy. */
class ProxyTest {
  private static final int BYTES = 6;
  private static final int MAX_WAIT_MILLIS = 20_000;

  private final AtomicReference<String> asked = new AtomicReference<>("");
  private ServerSocket server;
  private Proxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
    proxy = Proxy.to("127.0.0.1", server.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket caller = server.accept()) {
        for (byte[] read = read(caller); read.length > 0; read = read(caller)) {
          asked.set(new String(read, US_ASCII));
          caller.getOutputStream().write(read);
        }
      } catch (IOException e) {
        // The caller hung up.
      }
    }
  }

  private static byte[] read(Socket socket) throws IOException {
    return socket.getInputStream().readNBytes(BYTES);
  }

  private Socket call() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(MAX_WAIT_MILLIS);
    return socket;
  }

  private static String ask(Socket socket, String question) throws IOException {
    socket.getOutputStream().write(question.getBytes(US_ASCII));
    return new String(read(socket), US_ASCII);
  }

  @Test
  void theAnswerThatIsLostWasGiven() throws IOException {
    proxy.loseAnswer(Pattern.compile("COMMIT"), Pattern.compile("MIT"));
    try (Socket socket = call()) {
      assertThat(ask(socket, "SELECT")).isEqualTo("SELECT");
      assertThat(proxy.struck()).isZero();
      assertThat(ask(socket, "COMMIT")).isEmpty();
    }
    assertThat(asked.get()).isEqualTo("COMMIT");
    assertThat(proxy.struck()).isEqualTo(1);
    try (Socket socket = call()) {
      assertThat(ask(socket, "COMMIT")).as("only one is lost").isEqualTo("COMMIT");
    }
  }

  @Test
  void aHiddenServerIsRefusedAndBackAtItsPort() throws IOException {
    proxy.hide();
    assertThatThrownBy(this::call).isInstanceOf(ConnectException.class);
    proxy.restore();
    try (Socket socket = call()) {
      assertThat(ask(socket, "SELECT")).isEqualTo("SELECT");
    }
  }

  @Test
  void resetConnectionsAreCountedAndNewOnesServed() throws IOException {
    try (Socket socket = call()) {
      ask(socket, "SELECT");
      proxy.reset();
      assertThat(proxy.struck()).isPositive();
      assertThatThrownBy(() -> read(socket)).isInstanceOf(SocketException.class);
    }
    try (Socket socket = call()) {
      assertThat(ask(socket, "SELECT")).isEqualTo("SELECT");
    }
  }

  @Test
  void aServerThatIsNotThereEndsTheConnection() throws IOException {
    server.close();
    try (var noServer = new Socket()) {
      // Keeps the port from others, who might serve there.
      noServer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
      try (Socket socket = call()) {
        assertThat(read(socket)).isEmpty();
      }
    }
  }
}
