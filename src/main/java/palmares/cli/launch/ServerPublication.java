package palmares.cli.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;
import palmares.api.identity.LocalToken;

/**
 * Writes the file of a server when it is ready, and deletes it when the server stops. A server on
 * other databases than those of a data folder may have no such folder, and writes none then.
 */
final class ServerPublication implements ApplicationListener<ApplicationEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPublication.class);

  private final LocalToken token;
  private @Nullable ServerFile written;

  ServerPublication(LocalToken token) {
    this.token = token;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    try {
      if (event instanceof ApplicationReadyEvent ready) {
        var context = ready.getApplicationContext();
        Path data =
            Path.of(
                context.getEnvironment().getProperty("palmares.data", CommonOptions.DEFAULT_DATA));
        if (Files.isDirectory(data)) {
          String database = context.getBean(JdbcConnectionDetails.class).getJdbcUrl();
          written = ServerFile.of(data, url(context.getEnvironment()), token.secret(), database);
          written.write();
        }
      } else if (event instanceof ContextClosedEvent && written != null) {
        written.delete();
      }
    } catch (IOException e) {
      LOG.warn("commands find this server only by --url: {}", e.toString());
    }
  }

  /** The address of a server for commands of its machine. */
  static URI url(Environment environment) {
    String address = environment.getProperty("server.address", "");
    boolean isAny = address.isEmpty() || address.equals("0.0.0.0") || address.equals("::");
    String host = isAny ? "127.0.0.1" : address.contains(":") ? "[" + address + "]" : address;
    return URI.create(
        "http://%s:%s%s"
            .formatted(
                host,
                environment.getProperty("local.server.port"),
                environment.getProperty("server.servlet.context-path", "")));
  }
}
