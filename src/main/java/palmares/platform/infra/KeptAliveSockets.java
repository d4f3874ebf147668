package palmares.platform.infra;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Makes sockets that notice within half a minute that the machine at the other end is gone. It
 * closes no connection then, and by default Linux asks only after two hours of silence.
 *
 * <p>The JDBC driver makes one by its name, {@code socketFactory}.
 */
public final class KeptAliveSockets extends SocketFactory {
  private static final int IDLE_SECONDS = 10;
  private static final int INTERVAL_SECONDS = 5;
  private static final int PROBES = 3;

  @Override
  public Socket createSocket() throws IOException {
    var socket = new Socket();
    socket.setKeepAlive(true);
    set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
    set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
    set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    return socket;
  }

  /** Systems that lack an option keep their own. */
  private static void set(Socket socket, SocketOption<Integer> option, int value)
      throws IOException {
    if (socket.supportedOptions().contains(option)) {
      socket.setOption(option, value);
    }
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
  }

  private Socket connected(InetSocketAddress host, @Nullable InetSocketAddress local)
      throws IOException {
    Socket socket = createSocket();
    socket.bind(local);
    socket.connect(host);
    return socket;
  }
}
