package palmares.bench.write;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of one server, all on one thread, so that they take as little of the machine as can be.
 */
final class Clients {
  private final Target target;

  Clients(Target target) {
    this.target = target;
  }

  /**
   * Sends all of it, each client its next request as soon as it has the last answer.
   *
   * @throws IOException if the server refuses a request
   */
  Pace send(Volley volley) throws IOException {
    var connections = new ArrayList<Connection>();
    try (Selector selector = Selector.open()) {
      try {
        for (int i = 0; i < Math.min(volley.clients(), volley.requests()); i++) {
          connections.add(target.connect(selector));
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
      connection.send(sent, target.request(volley, sent), volley.batch(), System.nanoTime());
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
            connection.send(sent, target.request(volley, sent), volley.batch(), System.nanoTime());
            sent++;
          }
        }
      }
      selector.selectedKeys().clear();
    }
    return Pace.of(volley.events(), System.nanoTime() - begun, took);
  }
}
