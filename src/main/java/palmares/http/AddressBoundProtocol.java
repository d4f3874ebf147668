package palmares.http;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;

/**
 * HTTP of Tomcat's, where no address has more than its part of the connections: the next one is
 * closed before it takes any memory. Tomcat makes it by its name.
 */
public final class AddressBoundProtocol extends Http11NioProtocol {
  public AddressBoundProtocol() {
    super(new Endpoint());
  }

  void setMaxConnectionsPerAddress(int connections) {
    ((Endpoint) getEndpoint()).maxPerAddress = connections;
  }

  private static final class Endpoint extends NioEndpoint {
    /** How often addresses that have gone are forgotten. */
    private static final int ACCEPTS_PER_SWEEP = 4_096;

    /** The one thread that accepts looks at these alone. */
    private final Map<InetAddress, List<SocketChannel>> open = new HashMap<>();

    private int accepts;
    private volatile int maxPerAddress = Integer.MAX_VALUE;

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
      if (!admits(socket)) {
        destroySocket(socket);
        return false;
      }
      return super.setSocketOptions(socket);
    }

    private boolean admits(SocketChannel socket) {
      if (++accepts % ACCEPTS_PER_SWEEP == 0) {
        open.values().forEach(Endpoint::forgetClosed);
        open.values().removeIf(List::isEmpty);
      }
      InetAddress address = socket.socket().getInetAddress();
      List<SocketChannel> others = open.computeIfAbsent(address, key -> new ArrayList<>());
      if (others.size() >= maxPerAddress) {
        forgetClosed(others);
      }
      return others.size() < maxPerAddress && others.add(socket);
    }

    private static void forgetClosed(List<SocketChannel> sockets) {
      sockets.removeIf(socket -> !socket.isOpen());
    }
  }
}
