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
 * Configures how Tomcat parses requests, how many connections it takes, and how it answers errors.
 * {@code %2F} in a path does not end a segment, as member ids may contain a slash. Bodies are not
 * parsed as forms. The number of connections depends on the heap. Errors of Tomcat are answered as
 * problems.
 */
@Component
class TomcatSetup implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
  /** Heap for each connection; about five times what a slow request takes. */
  private static final int HEAP_BYTES_PER_CONNECTION = 256 << 10;

  private static final int MIN_CONNECTIONS = 256;
  private static final int MAX_CONNECTIONS = 8_192;

  /** More than the headers of a request can name; Tomcat fails at the eleventh by default. */
  private static final int MAX_LANGUAGES = 100_000;

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
    connector.setMaxLocaleCount(MAX_LANGUAGES);
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
      // Clients with 'Expect: 100-continue' need not send a body that is refused.
      http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
    }
  }

  private int connections() {
    long maximum = Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_CONNECTION;
    return Binder.get(environment)
        .bind("server.tomcat.max-connections", Integer.class)
        .orElse((int) Math.max(MIN_CONNECTIONS, Math.min(maximum, MAX_CONNECTIONS)));
  }

  /** Runs after Spring Boot's own customizers. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}
