package palmares.api.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.roles.Requires;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Shows the OpenAPI document as a page, with files from this jar alone. */
@RestController
class ApiPage {
  private static final String WEBJAR = "META-INF/maven/org.webjars/swagger-ui/pom.properties";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self';"
          + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final MediaType SCRIPT = new MediaType("text", "javascript");
  private static final MediaType STYLE = new MediaType("text", "css");

  private final Resource page = new ClassPathResource("docs.html", ApiPage.class);
  private final Map<String, Resource> files;

  ApiPage() throws IOException {
    String webjar = "META-INF/resources/webjars/swagger-ui/" + version() + "/";
    files =
        Map.of(
            "docs.js", new ClassPathResource("docs.js", ApiPage.class),
            "swagger-ui-bundle.js", new ClassPathResource(webjar + "swagger-ui-bundle.js"),
            "swagger-ui.css", new ClassPathResource(webjar + "swagger-ui.css"));
  }

  private static String version() throws IOException {
    var properties = new Properties();
    try (InputStream in = new ClassPathResource(WEBJAR).getInputStream()) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }

  @Operation("page")
  @Requires({})
  @GetMapping("/docs")
  ResponseEntity<Resource> page() {
    return answer(MediaType.TEXT_HTML, page);
  }

  @Operation("pageFile")
  @Requires({})
  @GetMapping("/docs/{file}")
  ResponseEntity<Resource> file(@PathVariable String file) {
    Resource found = files.get(file);
    if (found == null) {
      throw new Refusal(Problem.NOT_FOUND, new HttpSentences.NoFile("/docs/" + file));
    }
    return answer(file.endsWith(".css") ? STYLE : SCRIPT, found);
  }

  private static ResponseEntity<Resource> answer(MediaType type, Resource body) {
    return ResponseEntity.ok()
        .contentType(type)
        .cacheControl(CacheControl.noCache())
        .header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .body(body);
  }
}
