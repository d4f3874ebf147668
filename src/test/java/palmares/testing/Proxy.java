package palmares.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands bytes on to a server and back, until it is cut: then everybody is turned away. To Redis it
 * can refuse each command instead, or keep its answers back: the server does what it is asked, and
 * neither side is notified.
 */
public final class Proxy implements AutoCloseable {
  private final ServerSocket door;
  private final String host;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> vanished = ConcurrentHashMap.newKeySet();
  private final Object answers = new Object();
  private boolean held;
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger turnedAway = new AtomicInteger();
  private volatile boolean cut;
  private volatile @Nullable String refusal;

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

  /** How many connections were handed on. */
  public int accepted() {
    return accepted.get();
  }

  /** How many connections were dropped at once. */
  public int turnedAway() {
    return turnedAway.get();
  }

  /** Answers each command of Redis's protocol with this error, in place of the server. */
  public void refuse(String error) {
    refusal = error;
  }

  /**
   * Leaves each connection that is open to itself, as the machine of a server that is gone does: it
   * is neither closed nor answered. New ones reach the server, as that which took its place.
   */
  public void vanish() {
    vanished.addAll(open);
  }

  /** Keeps all answers back until {@link #restore}. */
  public void holdAnswers() {
    synchronized (answers) {
      held = true;
    }
  }

  public void restore() {
    cut = false;
    refusal = null;
    vanished.forEach(Proxy::drop);
    vanished.clear();
    synchronized (answers) {
      held = false;
      answers.notifyAll();
    }
  }

  private void awaitAnswers() throws IOException {
    synchronized (answers) {
      try {
        while (held) {
          answers.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("closed while answers were held", e);
      }
    }
  }

  private void welcome() {
    while (!door.isClosed()) {
      try {
        Socket caller = door.accept();
        if (cut) {
          turnedAway.incrementAndGet();
          drop(caller);
        } else {
          join(caller, new Socket(host, port));
          accepted.incrementAndGet();
        }
      } catch (IOException e) {
        // The door was closed, or the server is not there: the caller notices.
      }
    }
  }

  private void join(Socket caller, Socket server) {
    open.add(caller);
    open.add(server);
    threads.submit(() -> ask(caller, server));
    threads.submit(() -> hand(server, caller));
  }

  private void ask(Socket caller, Socket server) {
    try (InputStream in = caller.getInputStream();
        OutputStream out = server.getOutputStream();
        OutputStream back = caller.getOutputStream()) {
      byte[] bytes = new byte[1 << 16];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        String error = refusal;
        if (vanished.contains(caller)) {
          continue;
        }
        if (error == null) {
          out.write(bytes, 0, read);
        } else {
          String answer = "-" + error + "\r\n";
          back.write(answer.repeat(commands(bytes, read)).getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      // One side hung up: so does the other.
    } finally {
      drop(caller);
      drop(server);
    }
  }

  /** How many commands there are: each is {@code *N}, then N times {@code $LENGTH} and a text. */
  private static int commands(byte[] bytes, int end) {
    int commands = 0;
    for (int at = 0; at < end; commands++) {
      int parts = number(bytes, at);
      at = next(bytes, at);
      for (int part = 0; part < parts; part++) {
        at = next(bytes, at) + number(bytes, at) + 2;
      }
    }
    return commands;
  }

  private static int number(byte[] bytes, int at) {
    int number = 0;
    for (int i = at + 1; bytes[i] != '\r'; i++) {
      number = number * 10 + bytes[i] - '0';
    }
    return number;
  }

  /** Where the line after this one begins. */
  private static int next(byte[] bytes, int at) {
    int i = at;
    while (bytes[i] != '\n') {
      i++;
    }
    return i + 1;
  }

  private void hand(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] bytes = new byte[1 << 16];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        awaitAnswers();
        if (!vanished.contains(to)) {
          out.write(bytes, 0, read);
        }
      }
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
