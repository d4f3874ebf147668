package palmares.api.identity;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;

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
  /** What changes with the person, except a lockout. */
  public String etag() {
    return "\"" + version + "\"";
  }

  Caller caller() {
    return Caller.person(name, roles, version, mustChange);
  }
}
