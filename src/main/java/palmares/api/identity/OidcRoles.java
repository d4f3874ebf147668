package palmares.api.identity;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserService;
import org.springframework.security.oauth2.core.oidc.IdTokenClaimNames;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.stereotype.Component;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.platform.Problem;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Sentence;

/**
 * Gives people of an OpenID Connect provider the roles that the settings map to their claims. A
 * claim that neither the ID token nor the provider's answer about the person has is looked for in
 * the access token, where Keycloak puts roles.
 */
@Component
class OidcRoles implements OAuth2UserService<OidcUserRequest, OidcUser> {
  /** Why a person of a provider is not signed in. */
  interface OidcSentences {
    record OtherIssuer(String issuer, String wanted) implements Sentence {}

    record NoRolesClaim(String claim, List<String> claims) implements Sentence {}

    record NoRole(String claim, String person) implements Sentence {}

    record NoNameClaim(String claim, List<String> claims) implements Sentence {}

    record Name() implements Sentence {}

    record Scripts(List<String> scripts, List<String> allowed) implements Sentence {}

    record MixedScripts(List<String> scripts) implements Sentence {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(OidcRoles.class);
  private static final int MAX_NAME_CHARACTERS = 200;
  private static final int MAX_CLAIMS_NAMED = 30;

  /** Japanese, Korean and Chinese names may have several of these. */
  private static final Set<UnicodeScript> WRITTEN_TOGETHER =
      Set.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.HANGUL,
          UnicodeScript.BOPOMOFO);

  private final OidcUserService claims = new OidcUserService();
  private final Map<String, JwtDecoder> accessTokens = new ConcurrentHashMap<>();
  private final SecuritySettings.Oidc settings;

  OidcRoles(SecuritySettings settings) {
    this.settings = settings.oidc();
    claims.setOauth2UserService(new ProviderCalls(ProviderCalls.TIMEOUT).persons());
  }

  /** Says at the start if a token of any issuer would do, such as of another realm. */
  void requireIssuer(ClientRegistration client) {
    if (client.getProviderDetails().getIssuerUri() == null && settings.issuer() == null) {
      LOG.warn(
          "the issuer of ID tokens is not checked: every issuer whose keys are at {} signs people"
              + " in; set spring.security.oauth2.client.provider.*.issuer-uri, or, to start without"
              + " the provider, palmares.security.oidc.issuer",
          client.getProviderDetails().getJwkSetUri());
    }
  }

  @Override
  public OidcUser loadUser(OidcUserRequest request) {
    String issuer = request.getIdToken().getClaimAsString(IdTokenClaimNames.ISS);
    if (settings.issuer() != null && !settings.issuer().equals(issuer)) {
      throw refused(new OidcSentences.OtherIssuer(String.valueOf(issuer), settings.issuer()));
    }
    OidcUser user = user(request);
    requireName(user.getName());
    Map<String, Object> all = new TreeMap<>(user.getClaims());
    Object value = claim(all);
    if (value == null) {
      all.putAll(accessToken(request));
      value = claim(all);
    }
    if (value == null) {
      throw refused(new OidcSentences.NoRolesClaim(settings.rolesClaim(), names(all)));
    }
    Set<Role> roles = roles(value);
    if (roles.isEmpty()) {
      throw refused(new OidcSentences.NoRole(settings.rolesClaim(), user.getName()));
    }
    Set<GrantedAuthority> authorities =
        Set.copyOf(Caller.person(user.getName(), roles, null, false).getAuthorities());
    return new DefaultOidcUser(
        authorities, user.getIdToken(), user.getUserInfo(), nameClaim(request));
  }

  private OidcUser user(OidcUserRequest request) {
    try {
      OidcUser user = claims.loadUser(request);
      if (user.getClaims().get(nameClaim(request)) instanceof String) {
        return user;
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("a person of the provider has no name", e);
    }
    throw refused(
        new OidcSentences.NoNameClaim(nameClaim(request), names(request.getIdToken().getClaims())));
  }

  private static String nameClaim(OidcUserRequest request) {
    String name =
        request
            .getClientRegistration()
            .getProviderDetails()
            .getUserInfoEndpoint()
            .getUserNameAttributeName();
    return name == null || name.isEmpty() ? IdTokenClaimNames.SUB : name;
  }

  private static List<String> names(Map<String, Object> claims) {
    return claims.keySet().stream().sorted().limit(MAX_CLAIMS_NAMED).toList();
  }

  private static SignInFailed refused(Sentence said) {
    return new SignInFailed(Problem.FORBIDDEN, said);
  }

  /**
   * Returns the claims of the access token; none if it is no token of the same issuer about the
   * same person, or not signed by the provider's keys.
   */
  private Map<String, Object> accessToken(OidcUserRequest request) {
    String keys = request.getClientRegistration().getProviderDetails().getJwkSetUri();
    if (keys == null) {
      return Map.of();
    }
    try {
      Jwt token =
          accessTokens
              .computeIfAbsent(keys, OidcRoles::decoder)
              .decode(request.getAccessToken().getTokenValue());
      OidcIdToken id = request.getIdToken();
      return Objects.equals(token.getClaimAsString("iss"), id.getClaimAsString("iss"))
              && Objects.equals(token.getSubject(), id.getSubject())
          ? token.getClaims()
          : Map.of();
    } catch (JwtException e) {
      LOG.debug("the access token has no claims that can be read", e);
      return Map.of();
    }
  }

  private static JwtDecoder decoder(String keys) {
    return NimbusJwtDecoder.withJwkSetUri(keys)
        .jwsAlgorithms(all -> all.addAll(Set.of(SignatureAlgorithm.values())))
        .validateType(false)
        .build();
  }

  /**
   * A colon marks keys and users of shells, which nobody may impersonate. Nor may one person have
   * two names that people cannot tell apart, by an invisible or a wide character, or by a letter of
   * another script.
   */
  private void requireName(String name) {
    if (name.isEmpty()
        || name.length() > MAX_NAME_CHARACTERS
        || !Normalizer.isNormalized(name, Normalizer.Form.NFKC)
        || name.codePoints()
            .anyMatch(c -> c == ':' || Character.isSpaceChar(c) || TerminalText.isInvisible(c))) {
      throw refused(new OidcSentences.Name());
    }
    Set<UnicodeScript> scripts =
        name.codePoints().mapToObj(UnicodeScript::of).collect(Collectors.toSet());
    scripts.removeAll(Set.of(UnicodeScript.COMMON, UnicodeScript.INHERITED));
    if (!Set.copyOf(settings.scripts()).containsAll(scripts)) {
      throw refused(new OidcSentences.Scripts(words(scripts), words(settings.scripts())));
    }
    scripts.removeAll(WRITTEN_TOGETHER);
    if (scripts.size() > 1) {
      throw refused(new OidcSentences.MixedScripts(words(scripts)));
    }
  }

  private static List<String> words(Collection<UnicodeScript> scripts) {
    return scripts.stream().map(script -> script.name().toLowerCase(Locale.ROOT)).sorted().toList();
  }

  /** The claim of exactly this name, such as a URL, or else the one that the path leads to. */
  private @Nullable Object claim(Map<String, Object> claims) {
    if (claims.containsKey(settings.rolesClaim())) {
      return claims.get(settings.rolesClaim());
    }
    Object value = claims;
    for (String part : settings.rolesClaim().split("\\.")) {
      value = value instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return value;
  }

  private Set<Role> roles(@Nullable Object value) {
    var roles = EnumSet.noneOf(Role.class);
    Collection<?> values =
        value instanceof Collection<?> several
            ? several
            : value instanceof String one ? Set.of(one) : Set.of();
    for (Role role : Role.values()) {
      if (values.stream().map(String::valueOf).anyMatch(settings.values(role)::contains)) {
        roles.add(role);
      }
    }
    return roles;
  }
}
