package palmares.api.identity;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.function.SingletonSupplier;
import palmares.api.http.Clients;
import palmares.api.identity.ApiKeys.KeysChanged;
import palmares.api.roles.Role;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/**
 * Manages the people who sign in with a password, and records that in the audit log. A change of a
 * person ends all sessions that began before.
 */
@Component
@Transactional
@EnableConfigurationProperties(SecuritySettings.class)
public class People {
  /** The first person, who exists if no other does and no provider signs people in. */
  public static final String FIRST_PERSON_NAME = "admin";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._@-]{0,63}");
  private static final int MIN_PASSWORD_CHARACTERS = 12;

  /** The most that bcrypt distinguishes. */
  private static final int MAX_PASSWORD_BYTES = 72;

  /** The source of the attempts from all addresses. */
  private static final String ALL = "";

  /** What would lock out this number of addresses locks out all but known browsers. */
  private static final int MAX_ADDRESSES = 20;

  /** How long the inbox shows a lockout. */
  private static final Duration ATTEMPT_RETENTION = Duration.ofDays(1);

  private static final String SELECT =
      """
      select
        name, roles, must_change, version, created_by, created_at, disabled_at, (
          select max(locked_until) from sign_in_attempt where person = person.name
        ) as locked_until
      from person
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final AuditLog auditLog;
  private final SecuritySettings.Lockout lockout;
  private final ObjectProvider<ClientRegistrationRepository> providers;
  private final ApplicationEventPublisher events;
  private final PasswordEncoder encoder =
      PasswordEncoderFactories.createDelegatingPasswordEncoder();

  /** Compared with if there is no such person, so that the answer takes as long. */
  private final Supplier<String> nobodysPassword =
      SingletonSupplier.of(() -> Objects.requireNonNull(encoder.encode(Secrets.password())));

  People(
      JdbcClient jdbc,
      Clock clock,
      AuditLog auditLog,
      SecuritySettings settings,
      ObjectProvider<ClientRegistrationRepository> providers,
      ApplicationEventPublisher events) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.auditLog = auditLog;
    this.lockout = settings.lockout();
    this.providers = providers;
    this.events = events;
  }

  /**
   * Adds a person.
   *
   * @param reason for the audit log
   * @return a random password, which must be changed at the first use
   * @throws Refusal if the name or the roles are invalid, or a person has this name
   */
  public String add(String name, Set<Role> roles, String by, @Nullable String reason) {
    requireName(name);
    requireRoles(roles);
    String password = Secrets.password();
    try {
      insert(name, roles, password, by);
    } catch (DuplicateKeyException e) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.PersonTaken(name));
    }
    auditLog.append(entry("add-person", name, by, reason).with("roles", sorted(roles)));
    return password;
  }

  private void insert(String name, Set<Role> roles, String password, String by) {
    jdbc.sql(
            """
            insert into person (name, password, roles, must_change, created_by, created_at)
            values (:name, :password, :roles, true, :by, :now)
            """)
        .param("name", name)
        .param("password", encoder.encode(password))
        .param("roles", sorted(roles))
        .param("by", by)
        .param("now", clock.instant())
        .update();
  }

  /**
   * Adds the first person, if there is none, and no provider signs people in.
   *
   * @return the random password; empty if there are people
   */
  public Optional<String> addFirst() {
    if (hasProvider()) {
      return Optional.empty();
    }
    jdbc.sql("select pg_advisory_xact_lock(hashtextextended('first person', 0))").query(row -> {});
    boolean some = jdbc.sql("select exists (select from person)").query(Boolean.class).single();
    return some
        ? Optional.empty()
        : Optional.of(
            add(
                FIRST_PERSON_NAME,
                Set.of(Role.ADMIN, Role.OPERATOR, Role.APPROVER, Role.WRITER),
                "palmares",
                null));
  }

  /** Whether people sign in by OpenID Connect, and not with a password. */
  @Transactional(propagation = Propagation.SUPPORTS)
  boolean hasProvider() {
    return providers.getIfAvailable() != null;
  }

  /** Returns all people including those who are disabled, by name. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Person> all() {
    return jdbc.sql(SELECT + "order by name").query(Person.class).list();
  }

  @Transactional(propagation = Propagation.SUPPORTS)
  Optional<Person> find(String name) {
    return jdbc.sql(SELECT + "where name = :name")
        .param("name", name)
        .query(Person.class)
        .optional();
  }

  /**
   * As {@link #find}; until the transaction ends, nobody else changes the person, and no other
   * admin is disabled.
   */
  public Optional<Person> locked(String name) {
    lockAdmins();
    return jdbc.sql(SELECT + "where name = :name for update")
        .param("name", name)
        .query(Person.class)
        .optional();
  }

  /**
   * Whether the person has not been disabled or changed, and nobody has ended the person's
   * sessions, since a session began.
   *
   * @param version of the person's row at that time; null for a provider's people
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  boolean isCurrent(String name, @Nullable Integer version, Instant began) {
    return jdbc.sql(
            """
            select (:version::int is null or exists (
                select from person
                where name = :name and version = :version::int and disabled_at is null))
              and not exists (
                select from ended_session where person = lower(:name) and until >= :began)
            """)
        .param("name", name)
        .param("version", version)
        .param("began", began)
        .query(Boolean.class)
        .single();
  }

  /**
   * Ends the sessions of a person on all servers. Who signs in by a provider may begin others as
   * long as the provider allows it.
   *
   * @param reason for the audit log
   * @throws Refusal if there is no such person, and no provider that may know the name
   */
  public void endSessions(String name, String by, String reason) {
    int changed =
        jdbc.sql("update person set version = version + 1 where name = :name")
            .param("name", name)
            .update();
    if (!hasProvider()) {
      requireOne(name, changed);
    }
    jdbc.sql(
            """
            insert into ended_session (person, until) values (lower(:name), :now)
            on conflict (person) do update set until = greatest(ended_session.until, excluded.until)
            """)
        .param("name", name)
        .param("now", clock.instant())
        .update();
    auditLog.append(entry("end-sessions", name, by, reason));
  }

  /**
   * Signs a person in. An attempt is counted before the password is compared, so that concurrent
   * guesses are no more than those one after another. Attempts are counted by address, and those of
   * a browser on which the person has signed in before by browser: who guesses elsewhere does not
   * lock it out.
   *
   * @param address of the client
   * @param browser what {@link #knownBrowser} gave the client; null if it sent nothing
   * @return empty if the name or the password is wrong, or the person is locked or disabled
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  Optional<Person> signIn(String name, String password, String address, @Nullable String browser) {
    Optional<String> stored = password(name);
    Optional<String> known = stored.flatMap(key -> KnownBrowser.verify(browser, name, key));
    boolean counted =
        stored.isPresent()
            && (known.isPresent() || isCounted(name, ALL, MAX_ADDRESSES * lockout.attempts()))
            && isCounted(name, known.orElse(Clients.network(address)), lockout.attempts());
    boolean matches = encoder.matches(password, stored.orElseGet(nobodysPassword));
    if (!counted || !matches) {
      jdbc.sql("delete from sign_in_attempt where last_at <= :old")
          .param("old", clock.instant().minus(ATTEMPT_RETENTION))
          .update();
      return Optional.empty();
    }
    jdbc.sql(
            """
            with succeeded as (
                delete from sign_in_attempt where person = :name and source = :source)
            update sign_in_attempt set attempts = attempts - 1
            where person = :name and source = :all and :ofAll
            """)
        .param("name", name)
        .param("source", known.orElse(Clients.network(address)))
        .param("all", ALL)
        .param("ofAll", known.isEmpty())
        .update();
    return find(name);
  }

  private Optional<String> password(String name) {
    return jdbc.sql("select password from person where name = :name and disabled_at is null")
        .param("name", name)
        .query(String.class)
        .optional();
  }

  /** What a browser keeps, so that it is known until the person's password changes. */
  @Transactional(propagation = Propagation.SUPPORTS)
  Optional<String> knownBrowser(String name) {
    return password(name).map(key -> KnownBrowser.create(name, key));
  }

  /** Counts an attempt; false if there were too many, one after another, before. */
  private boolean isCounted(String name, String source, int most) {
    Instant now = clock.instant();
    return jdbc.sql(
                """
                insert into sign_in_attempt as a (person, source, attempts, last_at, locked_until)
                select name, :source, 1, :now, case when 1 >= :most then :until::timestamptz end
                from person
                where name = :name
                on conflict (person, source) do update
                set attempts = case when a.last_at <= :since then 1 else a.attempts + 1 end,
                  last_at = :now,
                  locked_until = case
                    when case when a.last_at <= :since then 1 else a.attempts + 1 end >= :most
                    then :until::timestamptz
                  end
                where a.locked_until is null or a.locked_until <= :now
                """)
            .param("since", now.minus(lockout.duration()))
            .param("until", now.plus(lockout.duration()))
            .param("now", now)
            .param("most", most)
            .param("source", source)
            .param("name", name)
            .update()
        == 1;
  }

  /**
   * Changes the password of a person who has just given the present one.
   *
   * @throws Refusal if the new password is too short, too long, or the present one
   */
  public Person changePassword(String name, String present, String wanted) {
    if (wanted.codePointCount(0, wanted.length()) < MIN_PASSWORD_CHARACTERS
        || wanted.getBytes(StandardCharsets.UTF_8).length > MAX_PASSWORD_BYTES) {
      throw invalid(
          "wanted",
          new AccountSentences.PasswordLength(MIN_PASSWORD_CHARACTERS, MAX_PASSWORD_BYTES));
    }
    if (wanted.equals(present)) {
      throw invalid("wanted", new AccountSentences.SamePassword());
    }
    requireOne(name, store(name, wanted, false));
    auditLog.append(entry("change-password", name, name, null));
    return find(name).orElseThrow();
  }

  /**
   * Gives a person a new password, and ends a lockout.
   *
   * @param reason for the audit log
   * @return a random password, which must be changed at the first use
   * @throws Refusal if there is no such person
   */
  public String resetPassword(String name, String by, String reason) {
    String password = Secrets.password();
    requireOne(name, store(name, password, true));
    auditLog.append(entry("reset-password", name, by, reason));
    return password;
  }

  private int store(String name, String password, boolean mustChange) {
    return jdbc.sql(
            """
            with forgotten as (delete from sign_in_attempt where person = :name)
            update person
            set password = :password, must_change = :mustChange, version = version + 1
            where name = :name
            """)
        .param("password", encoder.encode(password))
        .param("mustChange", mustChange)
        .param("name", name)
        .update();
  }

  /**
   * Replaces a person's roles.
   *
   * @param reason for the audit log
   * @throws Refusal if there is no such person
   */
  public void setRoles(String name, Set<Role> roles, String by, String reason) {
    requireRoles(roles);
    if (!roles.contains(Role.ADMIN)) {
      requireAnotherAdmin(name);
    }
    Optional<Person> before = locked(name);
    requireOne(
        name,
        jdbc.sql("update person set roles = :roles, version = version + 1 where name = :name")
            .param("roles", sorted(roles))
            .param("name", name)
            .update());
    events.publishEvent(new KeysChanged());
    auditLog.append(
        entry("set-roles", name, by, reason)
            .with("before", before.map(person -> sorted(person.roles())).orElse(null))
            .with("roles", sorted(roles)));
  }

  /**
   * Disables a person, who cannot sign in any more, or enables one again.
   *
   * @param reason for the audit log
   * @throws Refusal if there is no such person
   */
  public void setEnabled(String name, boolean enabled, String by, String reason) {
    if (!enabled) {
      requireAnotherAdmin(name);
    }
    requireOne(
        name,
        jdbc.sql(
                """
                update person
                set version = version + 1,
                  disabled_at = case when not :enabled then coalesce(disabled_at, :now) end
                where name = :name
                """)
            .param("enabled", enabled)
            .param("now", clock.instant())
            .param("name", name)
            .update());
    events.publishEvent(new KeysChanged());
    auditLog.append(entry(enabled ? "enable-person" : "disable-person", name, by, reason));
  }

  /** Keeps one person who can manage the others; a lock orders changes at the same time. */
  private void requireAnotherAdmin(String name) {
    lockAdmins();
    boolean isLast =
        jdbc.sql(
                """
                select exists (
                    select from person
                    where name = :name and 'admin' = any(roles) and disabled_at is null)
                  and not exists (
                    select from person
                    where name <> :name and 'admin' = any(roles) and disabled_at is null)
                """)
            .param("name", name)
            .query(Boolean.class)
            .single();
    if (isLast) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.OnlyAdmin(name));
    }
  }

  /** Taken before the lock of a person's row: the opposite order could deadlock. */
  private void lockAdmins() {
    jdbc.sql("select pg_advisory_xact_lock(hashtextextended('admins', 0))").query(row -> {});
  }

  private static void requireOne(String name, int changed) {
    if (changed == 0) {
      throw new Refusal(Problem.ACCOUNT_REFUSED, new AccountSentences.NoPerson(name));
    }
  }

  private static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw invalid("name", new AccountSentences.PersonName());
    }
  }

  private static void requireRoles(Set<Role> roles) {
    if (roles.isEmpty()) {
      throw invalid("roles", new AccountSentences.PersonWithoutRole());
    }
  }

  /** The refusal of a field of a request. */
  static Refusal invalid(String field, Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said).at(field);
  }

  private static List<String> sorted(Set<Role> roles) {
    return roles.stream().map(Role::word).sorted().toList();
  }

  private static AuditEntry entry(String verb, String name, String by, @Nullable String reason) {
    return AuditEntry.of(by, verb, reason).with("person", name);
  }
}
