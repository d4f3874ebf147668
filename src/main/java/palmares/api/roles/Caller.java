package palmares.api.roles;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import palmares.rules.board.BoardId;

/**
 * Who calls: a person, a program by an API key, or the user of a shell on the server's databases.
 *
 * @param name {@code ann}, {@code key:shop} or {@code local:ann}
 * @param roles with those that they include
 * @param boards the boards that the caller may read and write; empty for all
 * @param operations the operations, other than plain reads, that the caller may call of those that
 *     the roles allow; empty for all
 * @param version of the person's row when the session began; null for others
 * @param mustChangePassword whether a person may do nothing but change the password
 */
public record Caller(
    String name,
    Set<Role> roles,
    Set<BoardId> boards,
    Set<String> operations,
    @Nullable Integer version,
    boolean mustChangePassword)
    implements OAuth2AuthenticatedPrincipal, Serializable {
  private static final String AUTHORITY = "ROLE_";
  private static final String KEY = "key:";
  private static final String LOCAL = "local:";

  public Caller {
    // In the order of their declaration, so that all servers write the same session.
    roles = Collections.unmodifiableSet(Role.withIncluded(roles));
    boards = Set.copyOf(boards);
    operations = Set.copyOf(operations);
  }

  public static Caller key(
      String name, Set<Role> roles, Set<BoardId> boards, Set<String> operations) {
    return new Caller(KEY + name, roles, boards, operations, null, false);
  }

  /** A person who signed in. */
  public static Caller person(
      String name, Set<Role> roles, @Nullable Integer version, boolean mustChangePassword) {
    return new Caller(name, roles, Set.of(), Set.of(), version, mustChangePassword);
  }

  /**
   * The user of a shell, who may do everything, because this person has the databases' password.
   */
  public static Caller local(String user) {
    return person(LOCAL + user, Set.of(Role.values()), null, false);
  }

  /** Who sent the request that this thread answers, or gave the command; empty if anonymous. */
  public static Optional<Caller> find() {
    return of(SecurityContextHolder.getContext().getAuthentication());
  }

  /**
   * Who sent the request that this thread answers, or gave the command.
   *
   * @throws IllegalStateException if nobody has signed in, which an endpoint's rule prevents
   */
  public static Caller get() {
    return find().orElseThrow(() -> new IllegalStateException("the caller has not signed in"));
  }

  private static Optional<Caller> of(@Nullable Authentication authentication) {
    if (authentication == null || !authentication.isAuthenticated()) {
      return Optional.empty();
    }
    if (authentication.getPrincipal() instanceof Caller caller) {
      return Optional.of(caller);
    }
    Set<Role> roles = roles(authentication.getAuthorities());
    return roles.isEmpty()
        ? Optional.empty()
        : Optional.of(person(authentication.getName(), roles, null, false));
  }

  private static Set<Role> roles(Collection<? extends GrantedAuthority> authorities) {
    return Arrays.stream(Role.values())
        .filter(
            role ->
                authorities.stream().anyMatch(each -> authority(role).equals(each.getAuthority())))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The authority of a role, as Spring Security checks it. */
  public static String authority(Role role) {
    return AUTHORITY + role.name();
  }

  /** Whether the caller has an API key. */
  public boolean isProgram() {
    return name.startsWith(KEY);
  }

  /** Whether the caller has a key that is limited to boards or operations. */
  public boolean isLimited() {
    return !boards.isEmpty() || !operations.isEmpty();
  }

  public boolean has(Role role) {
    return roles.contains(role);
  }

  public boolean mayUse(BoardId board) {
    return boards.isEmpty() || boards.contains(board);
  }

  /** The caller as Spring Security keeps it. */
  public Authentication authentication() {
    return UsernamePasswordAuthenticationToken.authenticated(this, null, getAuthorities());
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public List<GrantedAuthority> getAuthorities() {
    return roles.stream()
        .<GrantedAuthority>map(role -> new SimpleGrantedAuthority(authority(role)))
        .toList();
  }

  @Override
  public Map<String, Object> getAttributes() {
    return Map.of();
  }
}
