package palmares.http;

import static org.assertj.core.api.Assertions.assertThat;

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

/** An address may have three connections here. */
class AddressBoundProtocolTest {
  @TempDir private Path folder;
  private final Tomcat tomcat = new Tomcat();
  private final List<RawHttp> connections = new ArrayList<>();
  private int port;

  @BeforeEach
  void start() throws LifecycleException {
    var protocol = new AddressBoundProtocol();
    protocol.setMaxConnectionsPerAddress(3);
    var connector = new Connector(protocol);
    connector.setPort(0);
    tomcat.setBaseDir(folder.toString());
    tomcat.setConnector(connector);
    tomcat.addContext("", folder.toString());
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
  void anAddressGetsNoMoreConnectionsThanItsOwnUntilOneOfThemEnds() {
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

  private RawHttp connect() {
    var made = new RawHttp(port);
    connections.add(made);
    return made;
  }

  private static boolean answered(RawHttp connection) {
    return connection.head("GET / HTTP/1.1").answer().startsWith("HTTP/1.1 404");
  }
}
