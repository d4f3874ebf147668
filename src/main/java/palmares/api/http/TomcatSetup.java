package palmares.api.http;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Sets up Tomcat: {@code %2F} in a path stays within its segment, since a member's id may hold a
 * slash; no body is read as a form; connections are bounded by what the heap has room for; what
 * Tomcat itself refuses is answered as a problem too.
 */
@Component
class TomcatSetup implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
  /** Of the heap; a connection whose request arrives slowly takes about a fifth of it. */
  private static final int BYTES_PER_CONNECTION = 256 << 10;

  private static final int MIN_CONNECTIONS = 256;
  private static final int MAX_CONNECTIONS = 8_192;

  private final HttpSettings settings;
  private final RequestLimits limits;
  private final Environment environment;

  TomcatSetup(HttpSettings settings, RequestLimits limits, Environment environment) {
    this.settings = settings;
    this.limits = limits;
    this.environment = environment;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(AddressBoundProtocol.class.getName());
    factory.addConnectorCustomizers(this::customize);
    factory.addContextCustomizers(
        context -> context.getParent().getPipeline().addValve(new ProblemValve()));
  }

  private void customize(Connector connector) {
    connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
    connector.setParseBodyMethods("");
    if (connector.getProtocolHandler() instanceof AddressBoundProtocol http) {
      int connections = connections();
      http.setMaxConnections(connections);
      http.setMaxConnectionsPerAddress(
          settings.connectionsPerAddress() == null
              ? connections / 2
              : settings.connectionsPerAddress());
      if (!Threading.VIRTUAL.isActive(environment)) {
        http.setLoad(limits.load());
      }
      // A body that is refused need not be sent.
      http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
    }
  }

  private int connections() {
    long room = Runtime.getRuntime().maxMemory() / BYTES_PER_CONNECTION;
    return Binder.get(environment)
        .bind("server.tomcat.max-connections", Integer.class)
        .orElse((int) Math.max(MIN_CONNECTIONS, Math.min(room, MAX_CONNECTIONS)));
  }

  /** After Spring Boot's own. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}
