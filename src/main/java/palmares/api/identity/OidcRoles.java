package palmares.api.identity;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserService;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;
import palmares.api.http.Problem;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.platform.output.TerminalText;

/** Gives people of an OpenID Connect provider the roles that the settings map to their claims. */
@Component
class OidcRoles implements OAuth2UserService<OidcUserRequest, OidcUser> {
  private static final int MAX_NAME_CHARACTERS = 200;

  private final OidcUserService claims = new OidcUserService();
  private final SecuritySettings.Oidc settings;

  OidcRoles(SecuritySettings settings) {
    this.settings = settings.oidc();
  }

  @Override
  public OidcUser loadUser(OidcUserRequest request) {
    OidcUser user = claims.loadUser(request);
    Set<Role> roles = roles(claim(user.getClaims()));
    if (roles.isEmpty()) {
      throw new SignInFailed(
          Problem.FORBIDDEN,
          "the claim '%s' gives %s no role: palmares.security.oidc names the values that give some"
              .formatted(settings.rolesClaim(), user.getName()));
    }
    requireName(user.getName());
    var authorities = new ArrayList<GrantedAuthority>();
    authorities.addAll(Caller.person(user.getName(), roles, null, false).getAuthorities());
    String nameClaim =
        request
            .getClientRegistration()
            .getProviderDetails()
            .getUserInfoEndpoint()
            .getUserNameAttributeName();
    return new DefaultOidcUser(
        authorities,
        user.getIdToken(),
        user.getUserInfo(),
        nameClaim == null || nameClaim.isEmpty() ? "sub" : nameClaim);
  }

  /**
   * A colon marks keys and users of shells, which nobody may impersonate. Nor may one person have
   * two names that people cannot tell apart, by an invisible or a wide character.
   */
  private static void requireName(String name) {
    if (name.isEmpty()
        || name.length() > MAX_NAME_CHARACTERS
        || !Normalizer.isNormalized(name, Normalizer.Form.NFKC)
        || name.codePoints()
            .anyMatch(c -> c == ':' || Character.isSpaceChar(c) || TerminalText.isInvisible(c))) {
      throw new SignInFailed(
          Problem.FORBIDDEN,
          "the provider's name for this person is empty, too long, or has a colon, a space, or a"
              + " character that is invisible or has another form");
    }
  }

  private @Nullable Object claim(Map<String, Object> claims) {
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
