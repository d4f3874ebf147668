package palmares.api.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import palmares.api.roles.Requires;
import tools.jackson.databind.json.JsonMapper;

/** Serves the OpenAPI document, which a test generates of the resource interfaces. */
@RestController
class OpenApi {
  private static final String FILE = "openapi.yaml";

  private final byte[] yaml = read();
  private final JsonMapper mapper;
  private final Supplier<byte[]> json;

  OpenApi(JsonMapper mapper) {
    this.mapper = mapper;
    this.json = SingletonSupplier.of(() -> mapper.writeValueAsBytes(document()));
  }

  private Object document() {
    return new Yaml(new SafeConstructor(new LoaderOptions()))
        .load(new String(yaml, StandardCharsets.UTF_8));
  }

  @Operation("openApiYaml")
  @Requires({})
  @GetMapping(path = "/api/v1/openapi.yaml", produces = MediaType.APPLICATION_YAML_VALUE)
  byte[] yaml(HttpServletRequest request) {
    String prefix = request.getContextPath();
    return prefix.isEmpty()
        ? yaml
        : new String(yaml, StandardCharsets.UTF_8)
            .replaceFirst("(?m)^(servers:\\n  - url: )/$", "$1" + Matcher.quoteReplacement(prefix))
            .getBytes(StandardCharsets.UTF_8);
  }

  @Operation("openApiJson")
  @Requires({})
  @GetMapping(path = "/api/v1/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
  byte[] json(HttpServletRequest request) {
    String prefix = request.getContextPath();
    if (prefix.isEmpty() || !(document() instanceof Map<?, ?> document)) {
      return json.get();
    }
    var here = new LinkedHashMap<Object, Object>(document);
    here.put("servers", List.of(Map.of("url", prefix)));
    return mapper.writeValueAsBytes(here);
  }

  private static byte[] read() {
    try (InputStream in = OpenApi.class.getResourceAsStream(FILE)) {
      return Objects.requireNonNull(in, FILE).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(FILE, e);
    }
  }
}
