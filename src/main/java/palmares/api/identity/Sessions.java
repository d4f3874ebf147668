package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.DefaultRedirectStrategy;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.session.web.http.CookieSerializer.CookieValue;
import org.springframework.session.web.http.DefaultCookieSerializer;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.api.roles.Caller;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Begins and ends the sessions of people. */
@Component
public class Sessions {
  /** The attribute of a request with the problem for which a provider's sign-in was refused. */
  public static final String REFUSED = "palmares.sign-in.refused";

  private static final String BROWSER = "PALMARES-BROWSER";
  private static final Duration BROWSER_AGE = Duration.ofDays(180);

  /** Characters of a token in an address: all headers of an answer have 8 KiB. */
  private static final int MAX_HINT_LENGTH = 4_000;

  private final SecurityContextRepository contexts = new HttpSessionSecurityContextRepository();
  private final People people;
  private final RequestRates rates;
  private final ObjectProvider<InMemoryClientRegistrationRepository> providers;
  private final DefaultCookieSerializer browsers;

  Sessions(
      People people,
      RequestRates rates,
      ObjectProvider<InMemoryClientRegistrationRepository> providers,
      ObjectProvider<ServerProperties> server) {
    this.people = people;
    this.rates = rates;
    this.providers = providers;
    this.browsers =
        SecuritySetup.cookies(
            server.getIfAvailable(ServerProperties::new).getServlet().getSession().getCookie());
    browsers.setCookieName(BROWSER);
    browsers.setUseBase64Encoding(false);
    browsers.setCookieMaxAge((int) BROWSER_AGE.toSeconds());
  }

  /** The path at which people sign in by OpenID Connect; empty if they have passwords here. */
  public Optional<String> provider() {
    return client()
        .map(
            client ->
                OAuth2AuthorizationRequestRedirectFilter.DEFAULT_AUTHORIZATION_REQUEST_BASE_URI
                    + "/"
                    + client.getRegistrationId());
  }

  /**
   * Signs a person in with a password.
   *
   * @throws Refusal if they do not match, after too many attempts, or if a provider signs people in
   */
  public Caller signIn(
      String name, String password, HttpServletRequest request, HttpServletResponse response) {
    if (people.hasProvider()) {
      throw new Refusal(Problem.FORBIDDEN, new AccessSentences.NoPasswords());
    }
    return begin(check(name, password, request), request, response);
  }

  /** One answer for all failures, so that it does not tell which names exist. */
  private Person check(String name, String password, HttpServletRequest request) {
    rates.countSignIn(request.getRemoteAddr());
    String browser = browsers.readCookieValues(request).stream().findFirst().orElse(null);
    return people
        .signIn(name, password, request.getRemoteAddr(), browser)
        .orElseThrow(() -> new Refusal(Problem.UNAUTHORIZED, new AccessSentences.WrongPassword()));
  }

  /** Begins a session with a new id, so that nobody can have planted one. */
  private Caller begin(Person person, HttpServletRequest request, HttpServletResponse response) {
    end(request);
    var context = new SecurityContextImpl(person.caller().authentication());
    SecurityContextHolder.setContext(context);
    contexts.saveContext(context, request, response);
    csrfToken(request);
    people
        .knownBrowser(person.name())
        .ifPresent(
            browser -> browsers.writeCookieValue(new CookieValue(request, response, browser)));
    return person.caller();
  }

  /** Ends the session of a request, and leads the browser to the page to sign in. */
  public void signOut(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String next = afterSignOut(request).orElse(SecuritySetup.SIGN_IN_PAGE);
    end(request);
    new DefaultRedirectStrategy().sendRedirect(request, response, next);
  }

  /**
   * Returns the provider's page at which it ends its own session; empty if it has none, or has not
   * signed the caller in. Whose session here has expired goes there, too.
   */
  private Optional<String> afterSignOut(HttpServletRequest request) {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    Optional<String> token = idToken(authentication);
    if (token.isEmpty() && Caller.find().isPresent()) {
      return Optional.empty(); // somebody whom the provider has not signed in
    }
    String back =
        ServletUriComponentsBuilder.fromContextPath(request)
            .path(SecuritySetup.SIGN_IN_PAGE)
            .toUriString();
    String client = client().map(ClientRegistration::getClientId).orElse("");
    return signOutPage()
        .map(
            page ->
                UriComponentsBuilder.fromUri(page)
                    .queryParamIfPresent(
                        "id_token_hint", token.filter(hint -> hint.length() <= MAX_HINT_LENGTH))
                    .queryParam("client_id", UriUtils.encode(client, UTF_8))
                    .queryParam("post_logout_redirect_uri", back)
                    .build()
                    .toUriString());
  }

  private static Optional<String> idToken(@Nullable Authentication authentication) {
    return authentication != null && authentication.getPrincipal() instanceof OidcUser person
        ? Optional.of(person.getIdToken().getTokenValue())
        : Optional.empty();
  }

  /** The origin of the page at which the provider ends its sessions; empty if it offers none. */
  Optional<String> signOutOrigin() {
    return signOutPage().map(page -> page.getScheme() + "://" + page.getRawAuthority());
  }

  private Optional<URI> signOutPage() {
    return client()
        .map(client -> client.getProviderDetails().getConfigurationMetadata())
        .flatMap(metadata -> Optional.ofNullable(metadata.get("end_session_endpoint")))
        .map(page -> URI.create(page.toString()));
  }

  /** What Palmares is at the provider; empty if people have passwords here. */
  Optional<ClientRegistration> client() {
    return Optional.ofNullable(providers.getIfAvailable()).map(known -> known.iterator().next());
  }

  /** Whether people may sign in at a provider of this name. */
  boolean isProvider(String name) {
    return Optional.ofNullable(providers.getIfAvailable())
        .map(known -> known.findByRegistrationId(name))
        .isPresent();
  }

  /** Ends the session of a request, if there is one. */
  public void end(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    if (session != null) {
      session.invalidate();
    }
    SecurityContextHolder.clearContext();
  }

  /**
   * Returns the token that a form sends, and sets its cookie; empty for requests with an API key,
   * which need none. Spring Security sets the cookie when the token is read: not on every request.
   */
  public static String csrfToken(HttpServletRequest request) {
    return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
        ? token.getToken()
        : "";
  }

  /**
   * Changes the password of a person, whose other sessions end.
   *
   * @throws Refusal if the present password is wrong, the wanted one is refused, or the caller has
   *     none
   */
  public Caller changePassword(
      Caller caller,
      String present,
      String wanted,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (caller.version() == null) {
      throw new Refusal(Problem.FORBIDDEN, new AccountSentences.NoPassword(caller.name()));
    }
    check(caller.name(), present, request);
    return begin(people.changePassword(caller.name(), present, wanted), request, response);
  }
}
