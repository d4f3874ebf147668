package palmares.bench.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One client's connection, which is kept, and on which one request is under way at a time. */
final class Connection implements AutoCloseable {
  private static final int ROOM = 64 << 10;
  private static final byte[] HEADERS_END = {'\r', '\n', '\r', '\n'};
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d+)");
  private static final Pattern LENGTH =
      Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);

  private final SocketChannel channel;
  private final SelectionKey key;
  private final ByteBuffer in = ByteBuffer.allocateDirect(ROOM);
  private ByteBuffer out = ByteBuffer.allocate(0);

  /** How much of the answer's body is still to come; unknown until its headers are there. */
  private long missing;

  private boolean headed;
  private int number;
  private long sentAt;

  private Connection(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.key = channel.register(selector, SelectionKey.OP_READ, this);
  }

  static Connection open(InetSocketAddress server, Selector selector) throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return new Connection(channel, selector);
  }

  /** Sends a request, of a number by which its sender knows it. */
  void send(int number, ByteBuffer request, long now) throws IOException {
    this.number = number;
    this.out = request;
    this.sentAt = now;
    headed = false;
    write();
  }

  int number() {
    return number;
  }

  long sentAt() {
    return sentAt;
  }

  /**
   * Goes on, and says whether the answer is there by now.
   *
   * @throws IOException if it is another than 200, with its beginning
   */
  boolean goOn() throws IOException {
    if (out.hasRemaining()) {
      write();
    }
    return key.isReadable() && read();
  }

  private void write() throws IOException {
    channel.write(out);
    int interest =
        out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
  }

  private boolean read() throws IOException {
    int got = channel.read(in);
    if (got < 0) {
      throw new IOException("the server closed the connection");
    }
    if (headed) {
      missing -= got;
      in.clear();
    } else {
      readHeaders();
    }
    return headed && missing <= 0;
  }

  private void readHeaders() throws IOException {
    var seen = new byte[in.position()];
    in.get(0, seen);
    int end = endOfHeaders(seen);
    if (end < 0) {
      return;
    }
    String head = new String(seen, 0, end, ISO_8859_1);
    Matcher status = STATUS.matcher(head);
    Matcher length = LENGTH.matcher(head);
    if (!status.lookingAt() || !status.group(1).equals("200") || !length.find()) {
      throw new IOException("the server answered: " + new String(seen, ISO_8859_1));
    }
    missing = Long.parseLong(length.group(1)) - (seen.length - end);
    headed = true;
    in.clear();
  }

  private static int endOfHeaders(byte[] seen) {
    for (int at = 0; at + HEADERS_END.length <= seen.length; at++) {
      if (seen[at] == '\r'
          && seen[at + 1] == '\n'
          && seen[at + 2] == '\r'
          && seen[at + 3] == '\n') {
        return at + HEADERS_END.length;
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
