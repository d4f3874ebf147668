package palmares.console;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.roles.Requires;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.chart.Chart;
import palmares.rules.board.Sha256;

/**
 * Serves the style sheet, scripts and icon of pages. Their paths contain a hash of all, so that
 * browsers keep them until a release changes one.
 */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class Assets {
  private static final String HTMX = "META-INF/maven/org.webjars.npm/htmx.org/pom.properties";
  private static final String WEBJAR = "META-INF/resources/webjars/htmx.org/%s/dist/htmx.min.js";
  private static final Map<String, MediaType> TYPES =
      Map.of(
          "css", new MediaType("text", "css"),
          "js", new MediaType("text", "javascript"),
          "svg", new MediaType("image", "svg+xml"));

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final String path;

  Assets() throws IOException {
    var hashes = new StringBuilder();
    for (String name : new String[] {"console.css", "console.js", "icon.svg"}) {
      files.put(name, read("palmares/console/assets/" + name));
    }
    files.put("chart.css", read(Chart.STYLE_SHEET.substring(1)));
    files.put("htmx.min.js", read(WEBJAR.formatted(htmxVersion())));
    files.values().forEach(file -> hashes.append(Sha256.of(file)));
    path = Console.PATH + "/assets/" + Sha256.of(hashes.toString()).substring(0, 12);
  }

  private static String htmxVersion() throws IOException {
    var properties = new Properties();
    try (InputStream in = new ClassPathResource(HTMX).getInputStream()) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }

  private static byte[] read(String path) throws IOException {
    return new ClassPathResource(path).getContentAsByteArray();
  }

  /** The path of the files, without a slash at its end. */
  String path() {
    return path;
  }

  @Requires({})
  @GetMapping(Console.PATH + "/assets/{hash}/{file}")
  ResponseEntity<byte[]> file(@PathVariable String hash, @PathVariable String file) {
    byte[] found = files.get(file);
    if (found == null || !path.endsWith("/" + hash)) {
      throw new Refusal(Problem.NOT_FOUND, new PageSentences.OtherVersion(file));
    }
    return ResponseEntity.ok()
        .contentType(requireNonNull(TYPES.get(file.substring(file.lastIndexOf('.') + 1))))
        .cacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
        .body(found);
  }
}
