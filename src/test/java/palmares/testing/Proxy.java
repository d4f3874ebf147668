package palmares.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Hands bytes on to a server and back, until it is cut: then everybody is turned away. */
public final class Proxy implements AutoCloseable {
  private final ServerSocket door;
  private final String host;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean cut;

  private Proxy(ServerSocket door, String host, int port) {
    this.door = door;
    this.host = host;
    this.port = port;
  }

  public static Proxy to(String host, int port) throws IOException {
    var proxy = new Proxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), host, port);
    proxy.threads.submit(proxy::welcome);
    return proxy;
  }

  public int port() {
    return door.getLocalPort();
  }

  /** Drops every connection, and each new one at once. */
  public void cut() {
    cut = true;
    open.forEach(Proxy::drop);
    open.clear();
  }

  public void restore() {
    cut = false;
  }

  private void welcome() {
    while (!door.isClosed()) {
      try {
        Socket caller = door.accept();
        if (cut) {
          drop(caller);
        } else {
          join(caller, new Socket(host, port));
        }
      } catch (IOException e) {
        // The door was closed, or the server is not there: the caller finds out by itself.
      }
    }
  }

  private void join(Socket caller, Socket server) {
    open.add(caller);
    open.add(server);
    threads.submit(() -> hand(caller, server));
    threads.submit(() -> hand(server, caller));
  }

  private static void hand(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException e) {
      // One side hung up: so does the other.
    } finally {
      drop(from);
      drop(to);
    }
  }

  private static void drop(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
    threads.shutdownNow();
  }
}
