package palmares.api.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Bounds what a provider of identities takes: a sign-in does not wait for one that hangs, and reads
 * no answer without end.
 */
final class ProviderCalls {
  /** Of a whole answer. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Tokens with hundreds of groups have less. */
  private static final int MAX_BYTES = 1 << 20;

  private final Duration timeout;

  ProviderCalls(Duration timeout) {
    this.timeout = timeout;
  }

  private ClientHttpRequestFactory requests(HttpClient.Redirect redirects) {
    var factory =
        new JdkClientHttpRequestFactory(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(redirects)
                .connectTimeout(timeout)
                .build());
    factory.setReadTimeout(timeout);
    return factory;
  }

  /** Exchanges the code of a sign-in for tokens. */
  OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> tokens() {
    var client = new RestClientAuthorizationCodeTokenResponseClient();
    client.setRestClient(
        RestClient.builder()
            .requestFactory(requests(HttpClient.Redirect.NEVER))
            .requestInterceptor(limit())
            .configureMessageConverters(
                converters ->
                    converters
                        .disableDefaults()
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
            .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
            .build());
    return client;
  }

  /** Asks what the provider knows of a person. */
  DefaultOAuth2UserService persons() {
    var template = new RestTemplate(requests(HttpClient.Redirect.NORMAL));
    template.setInterceptors(List.of(limit()));
    template.setErrorHandler(new OAuth2ErrorResponseErrorHandler());
    var service = new DefaultOAuth2UserService();
    service.setRestOperations(template);
    return service;
  }

  private static ClientHttpRequestInterceptor limit() {
    return (request, body, execution) -> {
      ClientHttpResponse response = execution.execute(request, body);
      byte[] read = response.getBody().readNBytes(MAX_BYTES + 1);
      if (read.length > MAX_BYTES) {
        response.close();
        throw new IOException("the answer has more than %d bytes".formatted(MAX_BYTES));
      }
      return new Read(response, read);
    };
  }

  /** An answer whose body was read. */
  private record Read(ClientHttpResponse response, byte[] body) implements ClientHttpResponse {
    @Override
    public HttpStatusCode getStatusCode() throws IOException {
      return response.getStatusCode();
    }

    @Override
    public String getStatusText() throws IOException {
      return response.getStatusText();
    }

    @Override
    public HttpHeaders getHeaders() {
      return response.getHeaders();
    }

    @Override
    public InputStream getBody() {
      return new ByteArrayInputStream(body);
    }

    @Override
    public void close() {
      response.close();
    }
  }
}
