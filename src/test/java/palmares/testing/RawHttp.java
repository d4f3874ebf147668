package palmares.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A connection on which a test sends any bytes, also those that no client would send. */
public final class RawHttp implements Closeable {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String EVENT_STREAM = "text/event-stream";

  private final Socket socket;
  private final InputStream in;

  public RawHttp(int port) {
    this(port, 0);
  }

  /**
   * @param receiveBytes how much of an answer the system keeps until it is read; 0 for its default
   */
  public RawHttp(int port, int receiveBytes) {
    this(port, receiveBytes, "127.0.0.1");
  }

  /**
   * @param from the address of the client, which begins with 127
   */
  public RawHttp(int port, int receiveBytes, String from) {
    try {
      socket = new Socket();
      if (receiveBytes > 0) {
        socket.setReceiveBufferSize(receiveBytes);
      }
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
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
    return answer(true);
  }

  /**
   * The next answer; of a stream of events, only its head; empty if the server has ended.
   *
   * @param hasBody false for the answer to a request for the head alone
   */
  public String answer(boolean hasBody) {
    try {
      String head = head();
      return hasBody ? head + body(head) : head;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends nothing more, and returns the answers that come, without interim ones. */
  public List<String> answers(boolean firstHasBody) {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var answers = new ArrayList<String>();
    while (true) {
      String answer = answer(firstHasBody || !answers.isEmpty());
      if (answer.isEmpty()) {
        return answers;
      }
      if (!answer.startsWith("HTTP/1.1 1")) {
        answers.add(answer);
      }
      if (answer.contains(EVENT_STREAM)) {
        return answers;
      }
    }
  }

  private String head() throws IOException {
    var head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** Sends nothing more, and returns all that the server sends, without interim answers. */
  public String rest() {
    try {
      socket.shutdownOutput();
      String all = new String(in.readAllBytes(), ISO_8859_1);
      return all.replaceFirst("^HTTP/1.1 100 .*\\R\\R", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String body(String head) throws IOException {
    String lower = head.toLowerCase(Locale.ROOT);
    if (head.contains(EVENT_STREAM)) {
      return "";
    }
    if (lower.contains("transfer-encoding: chunked")) {
      return chunks(head);
    }
    int at = lower.indexOf("content-length: ");
    if (at >= 0) {
      int length = Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
      return new String(in.readNBytes(length), ISO_8859_1);
    }
    return lower.contains("connection: close") ? new String(in.readAllBytes(), ISO_8859_1) : "";
  }

  private String chunks(String head) throws IOException {
    var all = new StringBuilder();
    while (true) {
      String size = line();
      if (size.isEmpty()) {
        throw new EOFException("the answer broke off: " + head + all);
      }
      int length = Integer.parseInt(size.strip(), 16);
      String chunk = new String(in.readNBytes(length), ISO_8859_1);
      all.append(size).append(chunk).append(line());
      if (length == 0) {
        return all.toString();
      }
    }
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    int next = in.read();
    while (next >= 0) {
      line.append((char) next);
      if (next == '\n') {
        return line.toString();
      }
      next = in.read();
    }
    return line.toString();
  }

  /** Whether something of an answer has come, or the server has ended the connection. */
  public boolean hasAnswer() {
    try {
      return in.available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether the server ends the connection, with nothing more to say. */
  public boolean isClosedByServer() {
    try {
      return in.read() < 0;
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
