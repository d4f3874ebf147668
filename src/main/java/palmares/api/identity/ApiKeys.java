package palmares.api.identity;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.ExternalText;
import palmares.rules.board.Sha256;

/**
 * Creates, rotates, lists and revokes API keys, and records that in the audit log. A key has a
 * name, and one or more secrets; only their hashes are stored.
 */
@Component
@Transactional
public class ApiKeys {
  /** In UTF-8. */
  public static final int MAX_NAME_BYTES = 64;

  /** How long former secrets stay valid after a rotation, if nothing else is asked for. */
  public static final Duration DEFAULT_OVERLAP = Duration.ofDays(1);

  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  /** How the name of the user of a shell begins. */
  private static final String LOCAL = "local:";

  private static final String SELECT =
      """
      select
        secret.id, key.name, key.roles, key.boards, key.operations, key.owner, key.own,
        secret.created_at, secret.expires_at, secret.revoked_at
      from api_secret secret
      join api_key key on key.name = secret.key
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final AuditLog auditLog;
  private final ApplicationEventPublisher events;

  ApiKeys(JdbcClient jdbc, Clock clock, AuditLog auditLog, ApplicationEventPublisher events) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.auditLog = auditLog;
    this.events = events;
  }

  /** Keys are valid for less from the commit on; other processes are notified by PostgreSQL. */
  record KeysChanged() {}

  /**
   * Says what a new key is called and may do.
   *
   * @param name of 1 to 64 bytes
   * @param roles at least one
   * @param boards the boards that it may read and write; empty for all
   * @param operations the ids of the operations, other than plain reads, that it may call; empty
   *     for all that the roles allow
   * @param validFor how long its secret is valid; null for no end
   */
  public record NewKey(
      String name,
      Set<Role> roles,
      Set<BoardId> boards,
      Set<String> operations,
      @Nullable Duration validFor) {
    /**
     * @throws Refusal that says what is wrong
     */
    public NewKey {
      requireName(name);
      roles = Set.copyOf(roles);
      boards = Set.copyOf(boards);
      operations = Set.copyOf(operations);
      if (roles.isEmpty()) {
        throw People.invalid("roles", new AccountSentences.KeyWithoutRole());
      }
      requirePositive(validFor, AccountSentences.KeyValidity::new);
    }

    private static void requireName(String name) {
      try {
        ExternalText.require("key-name", name, MAX_NAME_BYTES);
      } catch (InvalidValue e) {
        throw People.invalid("name", e.said());
      }
      if (!name.equals(name.strip())) {
        throw People.invalid("name", new AccountSentences.KeyName());
      }
    }

    /** A key that may call all that its roles allow. */
    public NewKey(String name, Set<Role> roles, Set<BoardId> boards, @Nullable Duration validFor) {
      this(name, roles, boards, Set.of(), validFor);
    }
  }

  private static void requirePositive(
      @Nullable Duration duration, LongFunction<Sentence> otherwise) {
    if (duration != null
        && (duration.isNegative() || duration.isZero() || duration.compareTo(MAX_DURATION) > 0)) {
      throw People.invalid("validForDays", otherwise.apply(MAX_DURATION.toDays()));
    }
  }

  /**
   * Creates a key for a program. Its owner is the person who creates it, or who owns the key that
   * does. It never approves, because nobody knows who else has it.
   *
   * @param reason for the audit log
   * @return the secret, which cannot be shown again
   * @throws Refusal if a key has this name, revoked or not, or if it is to approve
   */
  public String create(NewKey key, String by, String reason) {
    if (key.roles().contains(Role.APPROVER)) {
      throw People.invalid("roles", new AccountSentences.ProgramApproves());
    }
    return create(key, false, by, reason);
  }

  /**
   * Creates a key for its owner's own use, which acts as this person.
   *
   * @param caller the person, by a session, a shell, or another key of their own
   * @param reason for the audit log
   * @return the secret, which cannot be shown again
   * @throws Refusal if a key has this name, the caller is a program, or it has a role that the
   *     caller does not have, or no end
   */
  public String createOwn(NewKey key, Caller caller, String reason) {
    if (!Role.withIncluded(caller.roles()).containsAll(key.roles())) {
      throw People.invalid("roles", new AccountSentences.MoreRoles(Role.list(caller.roles())));
    }
    requireEnd(key.validFor());
    requirePerson(caller.name());
    return create(key, true, caller.name(), reason);
  }

  private static void requireEnd(@Nullable Duration validFor) {
    if (validFor == null) {
      throw People.invalid("validForDays", new AccountSentences.NoEnd());
    }
  }

  /** A program may be in anybody's hands, so it makes no key that acts as a person. */
  private void requirePerson(String by) {
    if (isProgram(by)) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.IsProgram(by));
    }
  }

  private boolean isProgram(String by) {
    return jdbc.sql(
            """
            select exists (
              select from api_key where not own and 'key:' || lower(name) = lower(:by))
            """)
        .param("by", by)
        .query(Boolean.class)
        .single();
  }

  private String create(NewKey key, boolean own, String by, String reason) {
    try {
      jdbc.sql(
              """
              insert into api_key (
                name, roles, boards, operations, owner, own, created_by, created_at)
              values (:name, :roles, :boards, :operations, person(:by), :own, :by, :now)
              """)
          .param("name", key.name())
          .param("own", own)
          .param("roles", key.roles().stream().map(Role::word).sorted().toList())
          .param("boards", key.boards().stream().map(BoardId::value).sorted().toList())
          .param("operations", key.operations().stream().sorted().toList())
          .param("by", by)
          .param("now", clock.instant())
          .update();
    } catch (DuplicateKeyException e) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.KeyTaken(key.name()));
    }
    auditLog.append(
        entry("create-key", key.name(), by, reason)
            .with("own", own)
            .with("roles", key.roles().stream().map(Role::word).sorted().toList())
            .with("boards", key.boards().stream().map(BoardId::value).sorted().toList())
            .with("operations", key.operations().stream().sorted().toList())
            .with("validFor", key.validFor()));
    return addSecret(key.name(), key.validFor(), by);
  }

  /**
   * Adds a secret to a key. The one before it expires after the overlap, if it does not before;
   * older ones are revoked. What is done with the secret counts as done by the key's owner, so only
   * the owner gets it. If it is a program's key, the user of a shell gets it, too.
   *
   * @param validFor how long the new secret is valid; null for no end
   * @param reason for the audit log
   * @return the new secret, which cannot be shown again
   * @throws Refusal if no key has this name, it is revoked, or it belongs to somebody else
   */
  public String rotate(
      String name, Duration overlap, @Nullable Duration validFor, String by, String reason) {
    requirePositive(validFor, AccountSentences.SecretValidity::new);
    if (overlap.isNegative() || overlap.compareTo(MAX_DURATION) > 0) {
      throw People.invalid("overlapHours", new AccountSentences.Overlap(MAX_DURATION.toDays()));
    }
    if (requireRotatable(name, by).own()) {
      requireEnd(validFor);
    }
    Instant now = clock.instant();
    jdbc.sql(
            """
            with valid as (
              select
                id,
                created_at < :until
                  and id = first_value(id) over (order by created_at desc, id) as stays
              from api_secret
              where key = :name and revoked_at is null
            )
            update api_secret
            set
              revoked_at = case when stays then null else :now end,
              expires_at = case when stays then least(expires_at, :until) else expires_at end
            from valid
            where api_secret.id = valid.id
            """)
        .param("until", now.plus(overlap))
        .param("now", now)
        .param("name", name)
        .update();
    events.publishEvent(new KeysChanged());
    auditLog.append(
        entry("rotate-key", name, by, reason)
            .with("formerValidFor", overlap)
            .with("validFor", validFor));
    return addSecret(name, validFor, by);
  }

  /** Locks the key, so that it is not revoked at the same time. */
  private ApiKey requireRotatable(String name, String by) {
    List<ApiKey> secrets = locked(name);
    if (secrets.isEmpty() || !secrets.get(0).name().equals(name)) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.NoKey(name));
    }
    if (secrets.stream().noneMatch(secret -> secret.revokedAt() == null)) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.Revoked(name));
    }
    ApiKey key = secrets.get(0);
    boolean isShell = by.startsWith(LOCAL) && !key.own();
    if (!isShell && !person(by).equals(key.owner())) {
      throw new Refusal(
          Problem.ACCOUNT_REFUSED, new AccountSentences.OwnerRotates(name, key.owner()));
    }
    if (key.own()) {
      requirePerson(by);
      requireSession(name, by);
    }
    return key;
  }

  /** Where servers forbid approvals from shells, none gets a secret of a key that may approve. */
  private void requireSession(String name, String by) {
    boolean isForbidden =
        jdbc.sql(
                """
                select is_local(:by) and not is_local('key:' || :name)
                  and not may_approve_locally()
                """)
            .param("by", by)
            .param("name", name)
            .query(Boolean.class)
            .single();
    if (isForbidden) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.SessionRotates(name));
    }
  }

  private String person(String by) {
    return jdbc.sql("select person(:by)").param("by", by).query(String.class).single();
  }

  private String addSecret(String name, @Nullable Duration validFor, String by) {
    Instant now = clock.instant();
    String id = HexFormat.of().formatHex(Secrets.bytes(6));
    String secret = "pal_" + id + "_" + Secrets.text();
    jdbc.sql(
            """
            insert into api_secret (id, key, hash, created_by, created_at, expires_at)
            values (:id, :name, :hash, :by, :now, :expires::timestamptz)
            """)
        .param("id", id)
        .param("name", name)
        .param("hash", hash(secret))
        .param("by", by)
        .param("now", now)
        .param("expires", validFor == null ? null : now.plus(validFor))
        .update();
    return secret;
  }

  /** Returns all secrets of all keys including revoked ones, oldest first. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<ApiKey> all() {
    return jdbc.sql(SELECT + "order by secret.created_at, secret.id").query(ApiKey.class).list();
  }

  /** The names of a person's keys that are not revoked, in alphabetical order. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<String> of(String person) {
    return jdbc.sql(
            """
            select name from api_key
            where owner = person(:person)
              and exists (select from api_secret where key = name and revoked_at is null)
            order by name
            """)
        .param("person", person)
        .query(String.class)
        .list();
  }

  /**
   * Returns the secrets of a key, oldest first; until the transaction ends, nobody else changes
   * them.
   *
   * @param what the name of the key, or the id of one of its secrets
   * @return empty if there is none
   */
  public List<ApiKey> locked(String what) {
    Optional<String> name =
        jdbc.sql(
                """
                select name from api_key
                where name = :what or name = (select key from api_secret where id = :what)
                order by name = :what desc
                limit 1
                for update
                """)
            .param("what", what)
            .query(String.class)
            .optional();
    return name.map(
            found ->
                jdbc.sql(SELECT + "where key.name = :name order by secret.created_at, secret.id")
                    .param("name", found)
                    .query(ApiKey.class)
                    .list())
        .orElse(List.of());
  }

  /**
   * Whether a caller may revoke a key without being an admin: its owner, or the key itself. A
   * person's own key without limits may also revoke the person's other own keys, but no program's
   * key. Locks the key.
   *
   * @param what the name of a key, or the id of a secret if no key has this name
   */
  public boolean mayRevoke(String what, Caller caller) {
    List<ApiKey> secrets = locked(what);
    if (secrets.isEmpty()) {
      return false;
    }
    ApiKey key = secrets.get(0);
    String by = caller.name();
    if (by.equals("key:" + key.name())) {
      return true;
    }
    if (caller.isProgram() && (caller.isLimited() || !key.own() || isProgram(by))) {
      return false;
    }
    return key.owner().equals(person(by));
  }

  /**
   * Revokes a secret, or all secrets of a key; every process is notified. A rotation at the same
   * time ends before, and its secret is revoked, too, or it is refused.
   *
   * @param what the name of a key, or the id of a secret if no key has this name
   * @param reason for the audit log
   * @return the number of secrets that were valid
   */
  public int revoke(String what, String by, String reason) {
    List<ApiKey> secrets = locked(what);
    if (secrets.isEmpty()) {
      return 0;
    }
    String name = secrets.get(0).name();
    int revoked =
        jdbc.sql(
                """
                update api_secret
                set revoked_at = :now
                where key = :name and (:whole or id = :what) and revoked_at is null
                """)
            .param("now", clock.instant())
            .param("name", name)
            .param("whole", name.equals(what))
            .param("what", what)
            .update();
    if (revoked > 0) {
      events.publishEvent(new KeysChanged());
      auditLog.append(
          entry("revoke-key", name, by, reason)
              .with("secret", name.equals(what) ? null : what)
              .with("secrets", revoked));
    }
    return revoked;
  }

  private static AuditEntry entry(String verb, String name, String by, String reason) {
    return AuditEntry.of(by, verb, reason).with("key", name);
  }

  /**
   * A key.
   *
   * @param ownerRoles the roles that its owner has; null if that is no person
   */
  private record Owned(ApiKey key, @Nullable Set<Role> ownerRoles) {}

  /**
   * Finds the secret with this hash, unless it is revoked, or its owner is disabled. Its key has no
   * more roles than its owner may give it now; an admin may give all to programs but approving.
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  Optional<ApiKey> withHash(String hash) {
    return jdbc.sql(
            """
            select key.*, person.roles as owner_roles
            from (%s where secret.hash = :hash and secret.revoked_at is null) key
            left join person on person.name = key.owner
            where person.disabled_at is null
            """
                .formatted(SELECT))
        .param("hash", hash)
        .query(Owned.class)
        .optional()
        .map(
            found ->
                found.ownerRoles() == null ? found.key() : found.key().within(found.ownerRoles()));
  }

  /** The hashes of all secrets that are valid at a time. */
  @Transactional(propagation = Propagation.SUPPORTS)
  Set<String> validHashes(Instant now) {
    return jdbc.sql(
            """
            select hash from api_secret
            where revoked_at is null and (expires_at is null or expires_at > :now)
            """)
        .param("now", now)
        .query(String.class)
        .set();
  }

  /** A hash without salt is safe, because a secret contains 256 random bits. */
  static String hash(String secret) {
    return Sha256.of(secret);
  }
}
