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
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * HTTP of Tomcat's, where no address has more than its part of the connections: the next one is
 * closed before it takes any memory. A connection whose caller does not take an answer is closed
 * too if as many others hold threads already. Tomcat makes it by its name.
 */
public final class AddressBoundProtocol extends Http11NioProtocol {
  public AddressBoundProtocol() {
    super(new Endpoint());
  }

  void setMaxConnectionsPerAddress(int connections) {
    ((Endpoint) getEndpoint()).maxPerAddress = connections;
  }

  /** Counts there the threads that wait until callers take their answers. */
  void setLoad(ServerLoad load) {
    ((Endpoint) getEndpoint()).load = load;
  }

  private static final class Endpoint extends NioEndpoint {
    /** How often addresses that have gone are forgotten. */
    private static final int ACCEPTS_PER_SWEEP = 4_096;

    /** Used by the one thread that accepts. */
    private final Map<InetAddress, List<SocketChannel>> open = new HashMap<>();

    private int accepts;
    private volatile int maxPerAddress = Integer.MAX_VALUE;
    private volatile @Nullable ServerLoad load;

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
      if (!admits(socket)) {
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

  /** Answers are written by one thread at a time; any thread may close. */
  private static final class CountedChannel extends NioChannel {
    private final ServerLoad load;
    private @Nullable String waiting;

    CountedChannel(SocketBufferHandler buffers, ServerLoad load) {
      super(buffers);
      this.load = load;
    }

    @Override
    public int write(ByteBuffer answer) throws IOException {
      int written = super.write(answer);
      if (!answer.hasRemaining()) {
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
      if (waiting == null) {
        String address = sc.socket().getInetAddress().getHostAddress();
        if (!load.beginWait(address)) {
          throw new IOException("too many callers do not take their answers");
        }
        waiting = address;
      }
    }

    private synchronized void endWait() {
      if (waiting != null) {
        load.endWait(waiting);
        waiting = null;
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
}
