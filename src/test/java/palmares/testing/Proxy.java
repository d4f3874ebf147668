package palmares.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hands bytes on to a server and back, until it is cut: then everybody is turned away. It can also
 * be slow, listen no more, reset connections, keep answers back or lose one: the server has done
 * what it was asked by then. To Redis it can refuse each command instead.
 */
public final class Proxy implements AutoCloseable {
  /** In which a server that has begun to answer answers all that it was asked. */
  private static final int REST_OF_ANSWERS_MILLIS = 30;

  private volatile ServerSocket door;
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
  private volatile long delayNanos;
  private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
  private final Set<Socket> asked = ConcurrentHashMap.newKeySet();
  private final AtomicInteger struck = new AtomicInteger();

  private record Loss(Pattern question, Pattern answer) {}

  private Proxy(ServerSocket door, String host, int port) {
    this.door = door;
    this.host = host;
    this.port = port;
  }

  public static Proxy to(String host, int port) throws IOException {
    var proxy = new Proxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), host, port);
    proxy.open();
    return proxy;
  }

  public int port() {
    return door.getLocalPort();
  }

  private void open() {
    ServerSocket opened = door;
    threads.submit(() -> welcome(opened));
  }

  /** Drops every connection, and each new one at once. */
  public void cut() {
    cut = true;
    dropAll();
  }

  private void dropAll() {
    struck.addAndGet((int) open.stream().filter(socket -> !socket.isClosed()).count());
    open.forEach(Proxy::drop);
    open.clear();
  }

  /** Drops every connection and listens no more until {@link #restore}: new ones are refused. */
  public void hide() throws IOException {
    door.close();
    dropAll();
  }

  /** Resets every connection. New ones reach the server. */
  public void reset() throws IOException {
    for (Socket socket : open) {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
    }
    dropAll();
  }

  /** Hands each block of bytes on only after this time, until {@link #restore}. */
  public void slow(long millis) {
    delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Drops the next connection on which the server gives such an answer to such a question, in place
   * of handing the answer on.
   */
  public void loseAnswer(Pattern question, Pattern answer) {
    asked.clear();
    loss.set(new Loss(question, answer));
  }

  /** How often somebody noticed: connections dropped, blocks slowed, answers held or lost. */
  public int struck() {
    return struck.get();
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
    delayNanos = 0;
    loss.set(null);
    if (door.isClosed()) {
      try {
        door = new ServerSocket(door.getLocalPort(), 50, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      open();
    }
    vanished.forEach(Proxy::drop);
    vanished.clear();
    synchronized (answers) {
      held = false;
      answers.notifyAll();
    }
  }

  private void awaitAnswers() throws IOException {
    synchronized (answers) {
      if (held) {
        struck.incrementAndGet();
      }
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

  private void linger() {
    if (delayNanos > 0) {
      struck.incrementAndGet();
      LockSupport.parkNanos(delayNanos);
    }
  }

  private void noteQuestion(Socket caller, byte[] bytes, int read) {
    Loss wanted = loss.get();
    if (wanted != null && wanted.question().matcher(text(bytes, read)).find()) {
      asked.add(caller);
    }
  }

  /** Whether the answer is lost; the server has ended what it was asked by then. */
  private boolean isLost(Socket from, Socket to, byte[] bytes, int read) throws IOException {
    Loss wanted = loss.get();
    if (wanted == null
        || !asked.contains(to)
        || !wanted.answer().matcher(text(bytes, read)).find()
        || !loss.compareAndSet(wanted, null)) {
      return false;
    }
    from.setSoTimeout(REST_OF_ANSWERS_MILLIS);
    try {
      while (from.getInputStream().read(bytes) >= 0) {
        // It is lost, too.
      }
    } catch (SocketTimeoutException e) {
      // That was all.
    }
    struck.incrementAndGet();
    return true;
  }

  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  private void welcome(ServerSocket opened) {
    while (!opened.isClosed()) {
      try {
        Socket caller = opened.accept();
        if (cut) {
          turnedAway.incrementAndGet();
          drop(caller);
        } else if (reach(caller)) {
          accepted.incrementAndGet();
        }
      } catch (IOException e) {
        // The door was closed.
      }
    }
  }

  private boolean reach(Socket caller) {
    try {
      join(caller, new Socket(host, port));
      return true;
    } catch (IOException e) {
      drop(caller); // The server is not there.
      return false;
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
        noteQuestion(caller, bytes, read);
        linger();
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
        linger();
        if (isLost(from, to, bytes, read)) {
          break;
        }
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
