package palmares.api.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.json.JsonMapper;

/**
 * An OpenID Connect provider that signs in, without asking, the person that the test names: it
 * serves discovery, authorization codes, tokens signed by RSA, and its public key.
 */
final class Provider implements AutoCloseable {
  private static final String CLIENT = "palmares";

  private final HttpServer server;
  private final RSAKey key;
  private final RSAKey foreignKey;
  private final Map<String, String> nonces = new ConcurrentHashMap<>();
  private volatile String person = "";
  private volatile List<String> groups = List.of();
  private volatile boolean forges;
  private volatile @Nullable Random garbling;
  private volatile Map<String, Object> idClaims = Map.of();
  private volatile Map<String, Object> accessClaims = Map.of();

  Provider() {
    try {
      key = new RSAKeyGenerator(2048).keyID("k1").generate();
      foreignKey = new RSAKeyGenerator(2048).keyID("k1").generate();
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (JOSEException | IOException e) {
      throw new AssertionError(e);
    }
    server.createContext("/.well-known/openid-configuration", this::discovery);
    server.createContext("/authorize", this::authorize);
    server.createContext("/token", this::token);
    server.createContext("/jwks", exchange -> json(exchange, new JWKSet(key).toJSONObject(true)));
    server.start();
  }

  String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Signs in this person from now on. */
  void signIn(String name, String... roles) {
    person = name;
    groups = List.of(roles);
    idClaims = Map.of("preferred_username", name, "realm_access", Map.of("roles", groups));
    accessClaims = Map.of();
    forges = false;
    garbling = null;
  }

  /** Has other claims in the ID token and in the access token. */
  void claim(Map<String, Object> inIdToken, Map<String, Object> inAccessToken) {
    idClaims = inIdToken;
    accessClaims = inAccessToken;
  }

  /** Signs tokens with a key that is not the provider's. */
  void forge() {
    forges = true;
  }

  /** Changes bytes of each token answer, the same for the same number, until somebody signs in. */
  void garble(long number) {
    garbling = new Random(number);
  }

  private void discovery(HttpExchange exchange) throws IOException {
    json(
        exchange,
        Map.of(
            "issuer",
            issuer(),
            "authorization_endpoint",
            issuer() + "/authorize",
            "token_endpoint",
            issuer() + "/token",
            "jwks_uri",
            issuer() + "/jwks",
            "end_session_endpoint",
            issuer() + "/logout",
            "response_types_supported",
            List.of("code"),
            "subject_types_supported",
            List.of("public"),
            "id_token_signing_alg_values_supported",
            List.of("RS256")));
  }

  private void authorize(HttpExchange exchange) throws IOException {
    MultiValueMap<String, String> query =
        UriComponentsBuilder.fromUri(exchange.getRequestURI()).build().getQueryParams();
    String code = UUID.randomUUID().toString();
    nonces.put(code, String.valueOf(query.getFirst("nonce")));
    String back =
        URLDecoder.decode(String.valueOf(query.getFirst("redirect_uri")), StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .add("Location", back + "?code=" + code + "&state=" + query.getFirst("state"));
    exchange.sendResponseHeaders(302, -1);
    exchange.close();
  }

  private void token(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String code = form.replaceAll("(?s).*\\bcode=([^&]*).*", "$1");
    answer(
        exchange,
        Map.of(
            "access_token",
            accessClaims.isEmpty() ? UUID.randomUUID().toString() : token("access", accessClaims),
            "token_type",
            "Bearer",
            "expires_in",
            300,
            "id_token",
            token(Objects.requireNonNull(nonces.get(code)), idClaims)));
  }

  private void answer(HttpExchange exchange, Map<String, ?> body) throws IOException {
    Random random = garbling;
    if (random == null) {
      json(exchange, body);
      return;
    }
    byte[] bytes = JsonMapper.shared().writeValueAsBytes(body);
    for (int change = 1 + random.nextInt(8); change > 0; change--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
    int status = random.nextInt(4) == 0 ? 200 + random.nextInt(350) : 200;
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, length);
    exchange.getResponseBody().write(bytes, 0, length);
    exchange.close();
  }

  private String token(String nonce, Map<String, Object> more) {
    // The token is checked by the machine's clock, not by that of the test.
    Instant now = Instant.now();
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer())
            .subject(UUID.nameUUIDFromBytes(person.getBytes(StandardCharsets.UTF_8)).toString())
            .audience(CLIENT)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plusSeconds(300)))
            .claim("nonce", nonce);
    more.forEach(claims::claim);
    var token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build(), claims.build());
    try {
      token.sign(new RSASSASigner(forges ? foreignKey : key));
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
    return token.serialize();
  }

  private static void json(HttpExchange exchange, Map<String, ?> body) throws IOException {
    byte[] bytes = JsonMapper.shared().writeValueAsBytes(body);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
