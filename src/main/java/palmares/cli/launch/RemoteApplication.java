package palmares.cli.launch;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.CallArguments;
import palmares.api.ops.ListingConverter;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Next;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Another process, whose resources are called over HTTP. Starts nothing. */
final class RemoteApplication implements RunningApplication {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpServiceProxyFactory proxies;
  private final Server server;

  /**
   * @param accept the media type of lists
   */
  RemoteApplication(Server server, MediaType accept) {
    this.server = server;
    HttpClient http =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    RestClient.Builder client =
        RestClient.builder()
            .baseUrl(server.url().toString())
            .requestFactory(new JdkClientHttpRequestFactory(http))
            .configureMessageConverters(
                converters ->
                    converters
                        .addCustomConverter(new ListingConverter())
                        .addCustomConverter(new JacksonJsonHttpMessageConverter()))
            .defaultHeader(
                HttpHeaders.ACCEPT,
                accept.toString(),
                MediaType.APPLICATION_JSON_VALUE + ";q=0.5",
                MediaType.APPLICATION_PROBLEM_JSON_VALUE + ";q=0.5")
            .defaultStatusHandler(
                status -> !status.is2xxSuccessful(),
                (request, response) -> {
                  throw problem(response);
                });
    client.defaultHeader(
        HttpHeaders.ACCEPT_LANGUAGE, LocaleContextHolder.getLocale().toLanguageTag());
    if (server.token() != null) {
      client.defaultHeader(HttpHeaders.AUTHORIZATION, "Bearer " + server.token());
    }
    proxies =
        HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client.build()))
            .customArgumentResolver(new CallArguments())
            .build();
  }

  /** A problem of the server as it is thrown there; any other answer as a failure. */
  private RuntimeException problem(ClientHttpResponse response) throws IOException {
    HttpStatusCode status = response.getStatusCode();
    try {
      JsonNode body = JSON.readTree(response.getBody());
      var known = Problem.find(body.path("type").asString(""));
      if (known.isPresent()) {
        return problem(known.get(), body);
      }
    } catch (JacksonException e) {
      // Reported below.
    }
    String message =
        "%s answered %d, which no Palmares server does: correct --url, PALMARES_URL or the profile"
            .formatted(server.url(), status.value());
    return UserError.unreachable(message, new IOException(message));
  }

  /** The refusal of the server, with its text. */
  private static ProblemException problem(Problem problem, JsonNode body) {
    String detail = body.path("detail").asString("");
    String code = body.path("code").asString("");
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    body.path("values")
        .forEachEntry((name, value) -> values.put(name, JSON.treeToValue(value, Object.class)));
    return new ProblemException(
            problem, code.isEmpty() ? Sentence.verbatim(detail) : new Said(code, values, detail))
        .then(body.has("next") ? JSON.treeToValue(body.get("next"), Next[].class) : new Next[0]);
  }

  @Override
  public <T> T get(Class<T> type) {
    if (!AnnotatedElementUtils.hasAnnotation(type, HttpExchange.class)) {
      throw new IllegalArgumentException(type + " is not served over HTTP");
    }
    return proxies.createClient(type);
  }

  @Override
  public void close() {
    // Idle connections end with the process.
  }
}
