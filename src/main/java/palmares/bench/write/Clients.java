package palmares.bench.write;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of one server, all on one thread, so that they take as little of the machine as can be.
 */
final class Clients {
  private final InetSocketAddress server;
  private final String apiKey;

  Clients(InetSocketAddress server, String apiKey) {
    this.server = server;
    this.apiKey = apiKey;
  }

  /**
   * Sends all of it, each client its next request as soon as it has the last answer.
   *
   * @throws IOException if the server answers a request with anything but 200
   */
  Pace send(Volley volley) throws IOException {
    var connections = new ArrayList<Connection>();
    try (Selector selector = Selector.open()) {
      try {
        for (int i = 0; i < Math.min(volley.clients(), volley.requests()); i++) {
          connections.add(Connection.open(server, selector));
        }
        return send(volley, connections, selector);
      } finally {
        for (Connection connection : connections) {
          connection.close();
        }
      }
    }
  }

  private Pace send(Volley volley, List<Connection> connections, Selector selector)
      throws IOException {
    var took = new long[volley.requests()];
    long begun = System.nanoTime();
    int sent = 0;
    for (Connection connection : connections) {
      connection.send(sent, request(volley, sent), System.nanoTime());
      sent++;
    }
    int answered = 0;
    while (answered < took.length) {
      selector.select();
      for (var key : selector.selectedKeys()) {
        var connection = (Connection) key.attachment();
        if (connection.goOn()) {
          took[connection.number()] = System.nanoTime() - connection.sentAt();
          answered++;
          if (sent < took.length) {
            connection.send(sent, request(volley, sent), System.nanoTime());
            sent++;
          }
        }
      }
      selector.selectedKeys().clear();
    }
    return Pace.of(volley.events(), System.nanoTime() - begun, took);
  }

  private ByteBuffer request(Volley volley, int number) {
    String body = volley.body(number);
    String head =
        "POST "
            + volley.path()
            + " HTTP/1.1\r\nHost: "
            + server.getHostString()
            + "\r\nAuthorization: Bearer "
            + apiKey
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return ByteBuffer.wrap((head + body).getBytes(US_ASCII));
  }
}
