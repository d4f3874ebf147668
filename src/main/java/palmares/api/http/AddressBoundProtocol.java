package palmares.api.http;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP protocol with a limit of connections per address; all of an IPv6 /64 count as one.
 * A connection above the limit is closed before it takes memory. A connection whose client does not
 * read its response is closed if too many others block threads. Tomcat creates this class by its
 * name.
 */
public final class AddressBoundProtocol extends Http11NioProtocol {
  public AddressBoundProtocol() {
    super(new Endpoint());
  }

  void setMaxConnectionsPerAddress(int connections) {
    ((Endpoint) getEndpoint()).maxPerAddress = connections;
  }

  /** Counts the threads that wait until clients read their responses in this load. */
  void setLoad(ServerLoad load) {
    ((Endpoint) getEndpoint()).load = load;
  }

  private static final class Endpoint extends NioEndpoint {
    /** After this many connections, closed ones are removed from the map. */
    private static final int ACCEPTS_PER_CLEANUP = 4_096;

    /** Open connections; used only by the thread that accepts connections. */
    private final ConnectionsByNetwork<SocketChannel> open =
        new ConnectionsByNetwork<>(socket -> socket.isOpen());

    private int accepts;
    private volatile int maxPerAddress = Integer.MAX_VALUE;
    private volatile @Nullable ServerLoad load;

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
      if (!isAdmitted(socket)) {
        destroySocket(socket);
        return false;
      }
      return super.setSocketOptions(socket);
    }

    @Override
    protected NioChannel createChannel(SocketBufferHandler buffers) {
      ServerLoad shared = load;
      return shared == null || isSSLEnabled()
          ? super.createChannel(buffers)
          : new CountedChannel(buffers, shared);
    }

    private boolean isAdmitted(SocketChannel socket) {
      if (++accepts % ACCEPTS_PER_CLEANUP == 0) {
        open.removeClosed();
      }
      return open.add(socket.socket().getInetAddress(), socket, maxPerAddress);
    }
  }

  /** Written to by one thread at a time; any thread may close it. */
  private static final class CountedChannel extends NioChannel {
    private final ServerLoad load;
    private @Nullable String waitingAddress;

    CountedChannel(SocketBufferHandler buffers, ServerLoad load) {
      super(buffers);
      this.load = load;
    }

    @Override
    public int write(ByteBuffer response) throws IOException {
      int written = super.write(response);
      if (!response.hasRemaining()) {
        endWait();
      } else if (written == 0) {
        beginWait();
      }
      return written;
    }

    private synchronized void beginWait() throws IOException {
      if (!isOpen()) {
        throw new ClosedChannelException();
      }
      if (waitingAddress == null) {
        String address = sc.socket().getInetAddress().getHostAddress();
        if (!load.beginWait(address)) {
          throw new IOException("too many clients do not read their responses");
        }
        waitingAddress = address;
      }
    }

    private synchronized void endWait() {
      if (waitingAddress != null) {
        load.endWait(waitingAddress);
        waitingAddress = null;
      }
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        endWait();
      }
    }
  }

  /** Counts open connections by the network of their client. Not thread-safe. */
  static final class ConnectionsByNetwork<C> {
    private final Predicate<C> isOpen;
    private final Map<String, List<C>> open = new HashMap<>();

    ConnectionsByNetwork(Predicate<C> isOpen) {
      this.isOpen = isOpen;
    }

    /** Adds a connection; returns false if its network has the maximum of open ones. */
    boolean add(InetAddress address, C connection, int most) {
      List<C> others =
          open.computeIfAbsent(
              Clients.network(address.getHostAddress()), network -> new ArrayList<>());
      if (others.size() >= most) {
        others.removeIf(isOpen.negate());
      }
      return others.size() < most && others.add(connection);
    }

    void removeClosed() {
      open.values().forEach(connections -> connections.removeIf(isOpen.negate()));
      open.values().removeIf(List::isEmpty);
    }
  }
}
