package palmares.api.identity;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.rules.board.BoardId;
import palmares.rules.board.Sha256;

/**
 * One of the secrets of an API key, without the secret itself.
 *
 * @param id of the secret, which the secret contains
 * @param name of the key
 * @param boards the boards that it may read and write; empty for all
 * @param operations the operations, other than plain reads, that it may call; empty for all that
 *     its roles allow
 * @param owner the person who answers for it
 * @param own whether the owner made it for their own use, and not for a program
 * @param expiresAt null if it does not expire
 * @param revokedAt null if it is not revoked
 */
public record ApiKey(
    String id,
    String name,
    Set<Role> roles,
    Set<BoardId> boards,
    Set<String> operations,
    String owner,
    boolean own,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt) {
  /**
   * What changes with a key.
   *
   * @param secrets all secrets of the key, oldest first
   */
  public static String etag(List<ApiKey> secrets) {
    String text =
        secrets.stream()
            .map(secret -> secret.id() + "|" + secret.expiresAt() + "|" + secret.revokedAt())
            .collect(Collectors.joining("\n"));
    return "\"" + Sha256.of(text).substring(0, 16) + "\"";
  }

  /** The key as its owner may have it now. */
  ApiKey within(Set<Role> ownersRoles) {
    var allowed = EnumSet.copyOf(Role.withIncluded(ownersRoles));
    if (!own && allowed.contains(Role.ADMIN)) {
      return this;
    }
    allowed.retainAll(Role.withIncluded(roles));
    return new ApiKey(
        id, name, allowed, boards, operations, owner, own, createdAt, expiresAt, revokedAt);
  }

  Caller caller() {
    return Caller.key(name, roles, boards, operations);
  }

  boolean isExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }
}
