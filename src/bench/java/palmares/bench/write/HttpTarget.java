package palmares.bench.write;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** The application's HTTP, to which events are posted. */
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
}
