package palmares.api.identity;

import java.lang.Character.UnicodeScript;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.api.roles.Role;
import palmares.platform.text.Setting;

/**
 * Who may call, and how people sign in.
 *
 * @param management who may read metrics on the management port: roles (viewers only) or open (also
 *     scrapers of {@code prometheus} without a key, in a network that you trust)
 * @param allowedOrigins the origins of other web sites whose pages may call the API, such as {@code
 *     https://game.example}; none by default
 * @param lockout of people who sign in with a password
 * @param oidc the roles of people who sign in by OpenID Connect, which {@code
 *     spring.security.oauth2.client} configures
 */
@ConfigurationProperties("palmares.security")
record SecuritySettings(
    @DefaultValue("roles") Management management,
    @DefaultValue List<String> allowedOrigins,
    @DefaultValue Lockout lockout,
    @DefaultValue Oidc oidc) {
  /** Who may read metrics. */
  enum Management {
    ROLES,
    OPEN
  }

  /**
   * When a person is locked out.
   *
   * @param attempts how many attempts to sign in may fail one after another; at least 1
   * @param duration how long no attempt is accepted then; at least 1 s
   */
  record Lockout(@DefaultValue("5") int attempts, @DefaultValue("15m") Duration duration) {
    Lockout {
      var lockout = new Setting("palmares.security.lockout");
      lockout.part("attempts").requireAtLeast(1, attempts);
      lockout.part("duration").requireAtLeast(Duration.ofSeconds(1), duration);
    }
  }

  /**
   * Says how roles are read from the claims of a provider. Who has no role cannot sign in.
   *
   * @param rolesClaim the claim that lists a person's groups or roles: its exact name, such as a
   *     URL, or a path with dots if it is in others, as {@code realm_access.roles}
   * @param issuer the only issuer whose ID tokens sign people in, where the provider is configured
   *     without {@code issuer-uri}, which says the same
   * @param scripts the Unicode scripts of which names may have letters; one name has letters of one
   *     script, or of several East Asian ones and another. Some scripts have letters that look like
   *     those of others, such as Cyrillic and Latin
   * @param viewer the values of the claim that make a viewer
   * @param operator the values of the claim that make an operator
   * @param approver the values of the claim that make an approver
   * @param admin the values of the claim that make an admin
   * @param writer the values of the claim that make a writer
   * @param reader the values of the claim that make a reader
   */
  record Oidc(
      @DefaultValue("roles") String rolesClaim,
      @Nullable String issuer,
      @DefaultValue("latin,han,hiragana,katakana,hangul,bopomofo") List<UnicodeScript> scripts,
      @DefaultValue List<String> viewer,
      @DefaultValue List<String> operator,
      @DefaultValue List<String> approver,
      @DefaultValue List<String> admin,
      @DefaultValue List<String> writer,
      @DefaultValue List<String> reader) {
    List<String> values(Role role) {
      return switch (role) {
        case VIEWER -> viewer;
        case OPERATOR -> operator;
        case APPROVER -> approver;
        case ADMIN -> admin;
        case WRITER -> writer;
        case WALLET -> List.of(); // a program, which has a key
        case READER -> reader;
      };
    }
  }
}
