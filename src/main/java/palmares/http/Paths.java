package palmares.http;

import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Lets a member's id hold a slash: {@code %2F} in a path stays within its segment. Addresses that
 * Tomcat itself refuses are answered as problems too.
 */
@Component
class Paths implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.addConnectorCustomizers(
        connector ->
            connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    factory.addContextCustomizers(
        context -> context.getParent().getPipeline().addValve(new ProblemValve()));
  }
}
