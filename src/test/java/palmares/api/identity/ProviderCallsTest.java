package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserRequest;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;

class ProviderCallsTest {
  private static final String TOKEN =
      "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"sub\":\"ann\"}";

  private final CountDownLatch isOver = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer provider;

  @BeforeEach
  void start() throws IOException {
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    provider.setExecutor(threads);
    provider.createContext("/good", exchange -> answer(exchange, TOKEN.formatted("secret")));
    provider.createContext(
        "/big", exchange -> answer(exchange, TOKEN.formatted("x".repeat(1 << 20))));
    provider.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/good");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    provider.createContext("/silent", exchange -> await());
    provider.createContext(
        "/trickling",
        exchange -> {
          begin(exchange, 0).write('{');
          exchange.getResponseBody().flush();
          await();
        });
    provider.start();
  }

  @AfterEach
  void stop() {
    isOver.countDown();
    provider.stop(0);
    threads.shutdownNow();
  }

  private void await() {
    try {
      isOver.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static OutputStream begin(HttpExchange exchange, long length) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, length);
    return exchange.getResponseBody();
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    try (exchange) {
      begin(exchange, body.length).write(body);
    }
  }

  private ClientRegistration client(String path) {
    String address = "http://127.0.0.1:" + provider.getAddress().getPort() + path;
    return ClientRegistration.withRegistrationId("test")
        .clientId("palmares")
        .clientSecret("secret")
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .redirectUri("http://localhost/back")
        .authorizationUri(address)
        .tokenUri(address)
        .userInfoUri(address)
        .userNameAttributeName("sub")
        .build();
  }

  private String token(String path, Duration timeout) {
    ClientRegistration client = client(path);
    var asked =
        OAuth2AuthorizationRequest.authorizationCode()
            .authorizationUri("http://localhost")
            .clientId("palmares")
            .redirectUri("http://localhost/back")
            .state("state")
            .build();
    var answered =
        OAuth2AuthorizationResponse.success("code")
            .redirectUri("http://localhost/back")
            .state("state")
            .build();
    var exchange = new OAuth2AuthorizationExchange(asked, answered);
    return new ProviderCalls(timeout)
        .tokens()
        .getTokenResponse(new OAuth2AuthorizationCodeGrantRequest(client, exchange))
        .getAccessToken()
        .getTokenValue();
  }

  private String person(String path, Duration timeout) {
    Instant now = Instant.now();
    var token =
        new OAuth2AccessToken(
            OAuth2AccessToken.TokenType.BEARER, "secret", now, now.plusSeconds(60));
    return new ProviderCalls(timeout)
        .persons()
        .loadUser(new OAuth2UserRequest(client(path), token))
        .getName();
  }

  @Test
  void anAnswerIsReadAsBefore() {
    assertThat(token("/good", ProviderCalls.TIMEOUT)).isEqualTo("secret");
    assertThat(person("/good", ProviderCalls.TIMEOUT)).isEqualTo("ann");
    assertThat(person("/moved", ProviderCalls.TIMEOUT)).isEqualTo("ann");
  }

  @Test
  void aProviderThatHangsOrTricklesIsGivenUp() {
    for (String path : new String[] {"/silent", "/trickling"}) {
      assertThatThrownBy(() -> token(path, Duration.ofMillis(200)))
          .as(path)
          .isInstanceOf(OAuth2AuthorizationException.class);
      assertThatThrownBy(() -> person(path, Duration.ofMillis(200)))
          .as(path)
          .isInstanceOf(OAuth2AuthenticationException.class);
    }
  }

  @Test
  void anAnswerWithoutEndIsNotRead() {
    assertThatThrownBy(() -> token("/big", ProviderCalls.TIMEOUT))
        .isInstanceOf(OAuth2AuthorizationException.class)
        .hasStackTraceContaining("the answer has more than 1048576 bytes");
    assertThatThrownBy(() -> person("/big", ProviderCalls.TIMEOUT))
        .isInstanceOf(OAuth2AuthenticationException.class)
        .hasStackTraceContaining("the answer has more than 1048576 bytes");
  }
}
