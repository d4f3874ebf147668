package palmares.api.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Gives the API's Tomcat and that of the management port one folder in the data folder. Spring Boot
 * would make temporary folders at each start, which a process that is killed leaves behind. No file
 * of a process is kept there, so several processes may share it.
 */
@Component
class TomcatFolders implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final String BASE = "server.tomcat.basedir";

  private final Environment environment;

  TomcatFolders(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Path data = Path.of(environment.getProperty("palmares.data", "./data"));
    Path base = data.resolve("tomcat").toAbsolutePath().normalize();
    try {
      Path documents = Files.createDirectories(base.resolve("documents"), ownerOnly);
      factory.setDocumentRoot(documents.toFile());
      if (!environment.containsProperty(BASE)) {
        factory.setBaseDirectory(base.toFile());
      }
    } catch (IOException e) {
      // The data folder is only for embedded servers, and may be read-only without them.
    }
  }
}
