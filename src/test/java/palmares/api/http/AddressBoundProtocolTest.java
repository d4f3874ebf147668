package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.testing.RawHttp;

/** An address may have three connections; one of them may wait until its response is read. */
class AddressBoundProtocolTest {
  @TempDir private Path folder;
  private final Tomcat tomcat = new Tomcat();
  private final List<RawHttp> connections = new ArrayList<>();
  private int port;

  @BeforeEach
  void start() throws LifecycleException {
    var protocol = new AddressBoundProtocol();
    protocol.setMaxConnectionsPerAddress(3);
    protocol.setLoad(new ServerLoad(Long.MAX_VALUE, 1, 1, 1));
    var connector = new Connector(protocol);
    connector.setPort(0);
    connector.setProperty("maxThreads", "2");
    tomcat.setBaseDir(folder.toString());
    tomcat.setConnector(connector);
    var context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "endless", new Endless()).addMapping("/endless");
    tomcat.start();
    port = connector.getLocalPort();
  }

  @AfterEach
  void stop() throws LifecycleException {
    connections.forEach(RawHttp::close);
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void connectionsPerAddressAreLimited() {
    for (int i = 0; i < 3; i++) {
      assertThat(answered(connect())).isTrue();
    }
    for (int i = 0; i < 5; i++) {
      assertThat(connect().isClosedByServer()).isTrue();
    }
    assertThat(connections.get(0).head("GET / HTTP/1.1", "Connection: close").answer())
        .startsWith("HTTP/1.1 404");
    assertThat(connections.get(0).isClosedByServer()).isTrue();
    assertThat(answered(connect())).isTrue();
    assertThat(connect().isClosedByServer()).isTrue();
  }

  @Test
  void clientsThatDoNotReadBlockALimitedNumberOfThreads() {
    connect().head("GET /endless HTTP/1.1");
    connect().head("GET /endless HTTP/1.1");
    assertThat(answered(connect())).isTrue();
  }

  /** Writes more than the buffers of a connection hold. */
  private static final class Endless extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      var part = new byte[1 << 16];
      while (true) {
        response.getOutputStream().write(part);
      }
    }
  }

  private RawHttp connect() {
    var made = new RawHttp(port);
    connections.add(made);
    return made;
  }

  private static boolean answered(RawHttp connection) {
    return connection.head("GET / HTTP/1.1").answer().startsWith("HTTP/1.1 404");
  }
}
