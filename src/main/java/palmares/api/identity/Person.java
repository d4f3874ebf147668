package palmares.api.identity;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.api.security.Caller;
import palmares.api.security.Role;

/**
 * A person who signs in with a password, without the password.
 *
 * @param mustChange whether the password must be changed before anything else
 * @param version rises with each change of password or roles
 * @param lockedUntil until when attempts to sign in are refused; null if they are not
 * @param disabledAt null unless the person is disabled
 */
public record Person(
    String name,
    Set<Role> roles,
    boolean mustChange,
    int version,
    @Nullable Instant lockedUntil,
    String createdBy,
    Instant createdAt,
    @Nullable Instant disabledAt) {
  Caller caller() {
    return new Caller(name, roles, Set.of(), version, mustChange);
  }
}
