package palmares.api.identity;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.api.security.Caller;
import palmares.api.security.Role;
import palmares.rules.board.BoardId;

/**
 * One of the secrets of an API key, without the secret itself.
 *
 * @param id of the secret, which the secret contains
 * @param name of the key
 * @param boards the boards that it may read and write; empty for all
 * @param owner the person who answers for it
 * @param expiresAt null if it does not expire
 * @param revokedAt null if it is not revoked
 */
public record ApiKey(
    String id,
    String name,
    Set<Role> roles,
    Set<BoardId> boards,
    String owner,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt) {
  Caller caller() {
    return Caller.key(name, roles, boards);
  }

  boolean isExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }
}
