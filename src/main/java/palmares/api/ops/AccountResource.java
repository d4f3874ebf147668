package palmares.api.ops;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.output.Wrapped;

/**
 * The people who sign in with a password, and the keys of programs. A password or key is only in
 * the answer to the call that made it: a repeat with the same idempotency key is refused.
 */
@HttpExchange("/api/v1/ops")
public interface AccountResource {
  /** Lists all people by name, those who are disabled too. */
  @Operation("opsPeople")
  @Requires(Role.ADMIN)
  @GetExchange("/people")
  Rows<PersonRow> people();

  /** Adds a person, with a password that must be changed. */
  @Operation("opsAddPerson")
  @Requires(value = Role.ADMIN, givesAccess = true)
  @PostExchange("/people")
  Task addPerson(@RequestBody PersonRequest body, Call call);

  /** Replaces a person's roles, and ends the sessions. */
  @Operation("opsSetRoles")
  @Requires(value = Role.ADMIN, givesAccess = true)
  @PostExchange("/people/{name}/roles")
  Task setRoles(@PathVariable String name, @RequestBody RolesRequest body, Call call);

  /** Ends a person's sessions and keys; no others can begin. */
  @Operation("opsDisablePerson")
  @Requires(Role.ADMIN)
  @PostExchange("/people/{name}/disable")
  Task disablePerson(@PathVariable String name, @RequestBody ReasonRequest body, Call call);

  /** Ends a person's sessions, also of a provider's people; others can begin. */
  @Operation("opsEndSessions")
  @Requires(Role.ADMIN)
  @PostExchange("/people/{name}/end-sessions")
  Task endSessions(@PathVariable String name, @RequestBody ReasonRequest body, Call call);

  /** Lets a person who was disabled sign in again. */
  @Operation("opsEnablePerson")
  @Requires(value = Role.ADMIN, givesAccess = true)
  @PostExchange("/people/{name}/enable")
  Task enablePerson(@PathVariable String name, @RequestBody ReasonRequest body, Call call);

  /** Gives a person a new password, which must be changed, and ends a lockout. */
  @Operation("opsResetPassword")
  @Requires(value = Role.ADMIN, givesAccess = true)
  @PostExchange("/people/{name}/reset-password")
  Task resetPassword(@PathVariable String name, @RequestBody ReasonRequest body, Call call);

  /** Lists the secrets of all keys, oldest first, revoked ones too, without the secrets. */
  @Operation("opsKeys")
  @Requires(Role.ADMIN)
  @GetExchange("/keys")
  Rows<KeyRow> keys();

  /** Creates a key for a program, which cannot approve. */
  @Operation("opsCreateKey")
  @Requires(value = Role.ADMIN, givesAccess = true)
  @PostExchange("/keys")
  Task createKey(@RequestBody KeyRequest body, Call call);

  /** Creates a key for the caller's own use: it acts as the caller, and expires. */
  @Operation("opsCreateOwnKey")
  @Requires(
      value = {Role.READER, Role.WRITER},
      givesAccess = true)
  @PostExchange("/me/keys")
  Task createOwnKey(@RequestBody KeyRequest body, Call call);

  /**
   * Revokes a key of the caller's own at once, or one of its secrets. A key that is limited revokes
   * itself alone.
   *
   * @param what the name of a key, for all its secrets, or the id of one secret
   */
  @Operation("opsRevokeOwnKey")
  @Requires(
      value = {Role.READER, Role.WRITER},
      checksBoards = true,
      checksOperations = true)
  @PostExchange("/me/keys/{what}/revoke")
  Task revokeOwnKey(@PathVariable String what, @RequestBody ReasonRequest body, Call call);

  /** Adds a secret to a key; the one before it stays valid for a while. */
  @Operation("opsRotateKey")
  @Requires(value = Role.ADMIN, givesAccess = true)
  @PostExchange("/keys/{name}/rotate")
  Task rotateKey(@PathVariable String name, @RequestBody RotationRequest body, Call call);

  /**
   * Revokes a key at once.
   *
   * @param what the name of a key, for all its secrets, or the id of one secret
   */
  @Operation("opsRevokeKey")
  @Requires(Role.ADMIN)
  @PostExchange("/keys/{what}/revoke")
  Task revokeKey(@PathVariable String what, @RequestBody ReasonRequest body, Call call);

  /** The body that adds a person. */
  record PersonRequest(String reason, String name, List<@Takes(Role.class) String> roles) {}

  /** The body that replaces a person's roles. */
  record RolesRequest(String reason, List<@Takes(Role.class) String> roles) {}

  /**
   * The body that creates a key.
   *
   * @param boards the boards that it may use; null or empty for all
   * @param operations the operations, other than plain reads, that it may call; null or empty for
   *     all that its roles allow
   * @param validForDays null for no end
   */
  record KeyRequest(
      String reason,
      String name,
      List<@Takes(Role.class) String> roles,
      @Nullable List<String> boards,
      @Nullable List<String> operations,
      @Nullable Integer validForDays) {}

  /**
   * The body of a rotation.
   *
   * @param overlapHours how long the former secret stays valid; null for 24
   * @param validForDays of the new secret; null for no end
   */
  record RotationRequest(
      String reason, @Nullable Integer overlapHours, @Nullable Integer validForDays) {}

  /**
   * A person who signs in with a password, without the password.
   *
   * @param mustChangePassword whether the password must be changed before anything else
   * @param by who added the person
   * @param lockedUntil until when attempts to sign in are refused; null if they are not
   * @param disabledAt null unless the person is disabled
   * @param etag for {@code If-Match}
   */
  record PersonRow(
      @Wrapped String name,
      @Wrapped List<Role> roles,
      boolean mustChangePassword,
      Instant createdAt,
      @Wrapped String by,
      @Nullable Instant lockedUntil,
      @Nullable Instant disabledAt,
      String etag) {}

  /**
   * A secret of a key, without the secret.
   *
   * @param id of the secret
   * @param boards the boards that it may use; empty for all
   * @param operations the operations, other than plain reads, that it may call; empty for all that
   *     its roles allow
   * @param owner the person as whom it acts; null if it acts as itself
   * @param expiresAt null if it does not
   * @param revokedAt null unless it is revoked
   * @param etag of the key, for {@code If-Match}
   */
  record KeyRow(
      @Wrapped String id,
      @Wrapped String name,
      @Wrapped List<Role> roles,
      @Wrapped List<String> boards,
      @Wrapped List<String> operations,
      @Wrapped @Nullable String owner,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt,
      String etag) {}
}
