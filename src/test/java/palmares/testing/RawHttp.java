package palmares.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;

/** A connection on which a test sends any bytes, also those that no client would send. */
public final class RawHttp implements Closeable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;

  public RawHttp(int port) {
    this(port, 0);
  }

  /**
   * @param receiveBytes how much of an answer the system keeps until it is read; 0 for its default
   */
  public RawHttp(int port, int receiveBytes) {
    try {
      socket = new Socket();
      if (receiveBytes > 0) {
        socket.setReceiveBufferSize(receiveBytes);
      }
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(TIMEOUT_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends lines, each ended as HTTP ends them, and an empty one behind them. */
  public RawHttp head(String... lines) {
    return send(String.join("\r\n", lines) + "\r\nHost: localhost\r\n\r\n");
  }

  public RawHttp send(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next answer: its head and, if it announces its length, its body. */
  public String answer() {
    try {
      InputStream in = socket.getInputStream();
      var head = new ByteArrayOutputStream();
      while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          return head.toString(ISO_8859_1);
        }
        head.write(next);
      }
      String text = head.toString(ISO_8859_1);
      return text + body(in, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends nothing more, and returns all that the server sends, without interim answers. */
  public String rest() {
    try {
      socket.shutdownOutput();
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return all.replaceFirst("^HTTP/1.1 100 .*\\R\\R", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String body(InputStream in, String head) throws IOException {
    String lower = head.toLowerCase(Locale.ROOT);
    if (lower.contains("transfer-encoding: chunked")) {
      var all = new ByteArrayOutputStream();
      int next = 0;
      while (next >= 0 && !all.toString(ISO_8859_1).endsWith("0\r\n\r\n")) {
        next = in.read();
        all.write(next);
      }
      if (next < 0) {
        throw new EOFException("the answer broke off: " + head + all.toString(ISO_8859_1));
      }
      return all.toString(ISO_8859_1);
    }
    int at = lower.indexOf("content-length: ");
    return at < 0
        ? ""
        : new String(
            in.readNBytes(Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)))),
            ISO_8859_1);
  }

  /** Whether something of an answer has come, or the server has ended the connection. */
  public boolean hasAnswer() {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether the server ends the connection, with nothing more to say. */
  public boolean isClosedByServer() {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
