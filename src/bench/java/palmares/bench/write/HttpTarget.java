package palmares.bench.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palmares.bench.write.Target.Answer;
import palmares.bench.write.Target.Connection;
import palmares.bench.write.WriteBench.Server;

/** Posts events to the application over HTTP. */
record HttpTarget(Server server) implements Target {
  @Override
  public Connection connect(Selector selector) throws IOException {
    var address = new InetSocketAddress(server.host(), server.port());
    return Connection.of(SocketChannel.open(address), selector, new HttpAnswer());
  }

  @Override
  public ByteBuffer request(Volley volley, int number) {
    String body = volley.body(number);
    String head =
        "POST "
            + volley.path()
            + " HTTP/1.1\r\nHost: "
            + server.host()
            + "\r\nAuthorization: Bearer "
            + server.apiKey()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return ByteBuffer.wrap((head + body).getBytes(US_ASCII));
  }

  /** Reads an HTTP answer and discards its body. */
  static final class HttpAnswer implements Answer {
    private static final byte[] HEADERS_END = {'\r', '\n', '\r', '\n'};
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d+)");
    private static final Pattern LENGTH =
        Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);

    /** Bytes of the body still to come; valid after the headers. */
    private long remaining;

    private boolean headersRead;

    @Override
    public void begin(int events) {
      headersRead = false;
    }

    /**
     * @throws IOException if the status is not 200, or 202 of an event that is committed
     */
    @Override
    public boolean take(ByteBuffer in) throws IOException {
      if (!headersRead) {
        readHeaders(in);
      }
      if (headersRead) {
        remaining -= in.remaining();
        in.position(in.limit());
      }
      return headersRead && remaining <= 0;
    }

    private void readHeaders(ByteBuffer in) throws IOException {
      var seen = new byte[in.remaining()];
      in.get(in.position(), seen);
      int end = endOfHeaders(seen);
      if (end < 0) {
        return;
      }
      String head = new String(seen, 0, end, ISO_8859_1);
      Matcher status = STATUS.matcher(head);
      Matcher length = LENGTH.matcher(head);
      if (!status.lookingAt() || !status.group(1).matches("20[02]") || !length.find()) {
        throw new IOException("the server answered: " + new String(seen, ISO_8859_1));
      }
      remaining = Long.parseLong(length.group(1));
      headersRead = true;
      in.position(in.position() + end);
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
  }
}
