package palmares.api.ops;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Operations;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.identity.ApiKey;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.identity.People;
import palmares.api.identity.Person;
import palmares.api.ops.Tasks.Issued;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.platform.form.Suggestion;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputTable;
import palmares.rules.board.BoardId;

@RestController
class AccountController implements AccountResource {
  private static final OutputTable<Person> PEOPLE =
      new OutputTable<Person>()
          .wrapped("name", Person::name)
          .wrapped("roles", person -> Role.words(person.roles()))
          .text("must_change_password", Person::mustChange)
          .time("created", Person::createdAt)
          .wrapped("by", Person::createdBy)
          .time("locked_until", Person::lockedUntil)
          .time("disabled", Person::disabledAt)
          .text("etag", Person::etag);

  private static final OutputTable<KeyRow> KEYS =
      new OutputTable<KeyRow>()
          .wrapped("id", row -> row.key().id())
          .wrapped("name", row -> row.key().name())
          .wrapped("roles", row -> Role.words(row.key().roles()))
          .wrapped("boards", row -> boards(row.key().boards()))
          .wrapped("operations", row -> operations(row.key().operations()))
          .wrapped("owner", row -> row.key().owner())
          .time("created", row -> row.key().createdAt())
          .time("expires", row -> row.key().expiresAt())
          .time("revoked", row -> row.key().revokedAt())
          .text("etag", KeyRow::etag);

  private final Tasks tasks;
  private final Lookup lookup;
  private final People people;
  private final ApiKeys keys;
  private final Operations operations;

  AccountController(
      Tasks tasks, Lookup lookup, People people, ApiKeys keys, Operations operations) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.people = people;
    this.keys = keys;
    this.operations = operations;
  }

  /** A secret with the ETag of its key. */
  private record KeyRow(ApiKey key, String etag) {}

  private static String boards(Set<BoardId> boards) {
    return boards.isEmpty()
        ? "all"
        : boards.stream().map(BoardId::value).sorted().collect(Collectors.joining(", "));
  }

  private static String operations(Set<String> operations) {
    return operations.isEmpty()
        ? "all"
        : operations.stream().sorted().collect(Collectors.joining(", "));
  }

  @Override
  public Listing people() {
    return Listing.of(PEOPLE, "no people", people.all());
  }

  @Override
  public Task addPerson(PersonRequest body, Call call) {
    call.requireUnconditional();
    String reason = Lookup.reason(body.reason());
    String name = Lookup.required("name", body.name());
    Set<Role> roles = roles(body.roles());
    return issue(
        call,
        new VerbRequest("add-person", null, null, reason, body),
        "%s %s with the roles %s"
            .formatted(call.dryRun() ? "would add" : "added", name, Role.words(roles)),
        by -> people.add(name, roles, by, reason));
  }

  @Override
  public Task setRoles(String name, RolesRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Set<Role> roles = roles(body.roles());
    return change(
        call,
        new VerbRequest("set-roles", null, null, reason, List.of(name, body)),
        by -> {
          requireSeen(name, call);
          people.setRoles(name, roles, by, reason);
          return "%s %s the roles %s"
              .formatted(name, call.dryRun() ? "would have" : "has", Role.words(roles));
        });
  }

  @Override
  public Task disablePerson(String name, ReasonRequest body, Call call) {
    return setEnabled("disable-person", name, false, body, call);
  }

  @Override
  public Task enablePerson(String name, ReasonRequest body, Call call) {
    return setEnabled("enable-person", name, true, body, call);
  }

  private Task setEnabled(
      String verb, String name, boolean enabled, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    return change(
        call,
        new VerbRequest(verb, null, null, reason, List.of(name, body)),
        by -> {
          requireSeen(name, call);
          people.setEnabled(name, enabled, by, reason);
          String word = enabled ? "enable" : "disable";
          String done = call.dryRun() ? "would %s %s".formatted(word, name) : word + "d " + name;
          List<String> owned = enabled ? List.of() : keys.of(name);
          return owned.isEmpty()
              ? done
              : "%s; nobody can use %s's keys then: %s"
                  .formatted(done, name, String.join(", ", owned));
        });
  }

  @Override
  public Task endSessions(String name, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    return change(
        call,
        new VerbRequest("end-sessions", null, null, reason, List.of(name, body)),
        by -> {
          requireSeen(name, call);
          people.endSessions(name, by, reason);
          String done =
              "%s the sessions of %s".formatted(call.dryRun() ? "would end" : "ended", name);
          List<String> owned = keys.of(name);
          return owned.isEmpty()
              ? done
              : "%s; these keys stay valid until 'palmares api-keys revoke' ends them: %s"
                  .formatted(done, String.join(", ", owned));
        });
  }

  @Override
  public Task resetPassword(String name, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    return issue(
        call,
        new VerbRequest("reset-password", null, null, reason, List.of(name, body)),
        "%s %s a new password, which must be changed"
            .formatted(name, call.dryRun() ? "would have" : "has"),
        by -> {
          requireSeen(name, call);
          return people.resetPassword(name, by, reason);
        });
  }

  @Override
  public Listing keys() {
    List<ApiKey> all = keys.all();
    Map<String, List<ApiKey>> secrets = all.stream().collect(Collectors.groupingBy(ApiKey::name));
    return Listing.of(
        KEYS,
        "no keys",
        all.stream()
            .map(key -> new KeyRow(key, ApiKey.etag(secrets.getOrDefault(key.name(), List.of()))))
            .toList());
  }

  @Override
  public Task createKey(KeyRequest body, Call call) {
    return createKey("create-key", body, call, keys::create);
  }

  @Override
  public Task createOwnKey(KeyRequest body, Call call) {
    Caller caller = Caller.get();
    return createKey(
        "create-own-key", body, call, (key, by, reason) -> keys.createOwn(key, caller, reason));
  }

  /** Stores a key, and returns its secret. */
  @FunctionalInterface
  private interface Creation {
    String create(NewKey key, String by, String reason);
  }

  private Task createKey(String verb, KeyRequest body, Call call, Creation creation) {
    call.requireUnconditional();
    String reason = Lookup.reason(body.reason());
    NewKey key =
        valid(
            () ->
                new NewKey(
                    Lookup.required("name", body.name()),
                    roles(body.roles()),
                    words("boards", body.boards()).stream()
                        .map(word -> lookup.inForce(word).id())
                        .collect(Collectors.toUnmodifiableSet()),
                    words("operations", body.operations()).stream()
                        .map(this::operation)
                        .collect(Collectors.toUnmodifiableSet()),
                    days(body.validForDays())));
    return issue(
        call,
        new VerbRequest(verb, null, null, reason, body),
        "'%s' %s %s, on the boards: %s, for the operations: %s"
            .formatted(
                key.name(),
                call.dryRun() ? "would be" : "is",
                Role.words(key.roles()),
                boards(key.boards()),
                operations(key.operations())),
        by -> creation.create(key, by, reason));
  }

  private String operation(String word) {
    if (operations.givesAccess(word)) {
      throw Lookup.invalid(
          "'%s' gives access to all operations, so a key cannot be limited to it".formatted(word));
    }
    Set<String> known = operations.names();
    if (!known.contains(word)) {
      throw Lookup.invalid(
          Suggestion.unknown("there is no operation '%s'%s; the operations are %s", word, known));
    }
    return word;
  }

  @Override
  public Task rotateKey(String name, RotationRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Duration overlap =
        body.overlapHours() == null
            ? ApiKeys.DEFAULT_OVERLAP
            : Duration.ofHours(body.overlapHours());
    Duration validFor = days(body.validForDays());
    return issue(
        call,
        new VerbRequest("rotate-key", null, null, reason, List.of(name, body)),
        "'%s' %s another secret; the one before it is valid for %s more at most"
            .formatted(
                name,
                call.dryRun() ? "would have" : "has",
                DisplayFormat.count(overlap.toHours(), "hour", "hours")),
        by -> {
          requireKeySeen(name, call);
          return keys.rotate(name, overlap, validFor, by, reason);
        });
  }

  @Override
  public Task revokeKey(String what, ReasonRequest body, Call call) {
    return revoke(
        "revoke-key",
        what,
        body,
        call,
        () -> true,
        "there is no key '%s' in use: 'palmares api-keys list' shows them".formatted(what));
  }

  @Override
  public Task revokeOwnKey(String what, ReasonRequest body, Call call) {
    Caller caller = Caller.get();
    return revoke(
        "revoke-own-key",
        what,
        body,
        call,
        () -> keys.mayRevoke(what, caller),
        caller.isProgram()
            ? "there is no key '%s' in use that %s may revoke: its owner may, in a session"
                .formatted(what, caller.name())
            : "you own no key '%s' in use".formatted(what));
  }

  /**
   * @param unused what a caller learns who may not revoke the key, so that it does not tell which
   *     keys there are, or if there is none
   */
  private Task revoke(
      String verb,
      String what,
      ReasonRequest body,
      Call call,
      BooleanSupplier isAllowed,
      String unused) {
    String reason = Lookup.reason(body.reason());
    return change(
        call,
        new VerbRequest(verb, null, null, reason, List.of(what, body)),
        by -> {
          if (!isAllowed.getAsBoolean()) {
            throw new ProblemException(Problem.ACCOUNT_REFUSED, unused);
          }
          requireKeySeen(what, call);
          int revoked = keys.revoke(what, by, reason);
          if (revoked == 0) {
            throw new ProblemException(Problem.ACCOUNT_REFUSED, unused);
          }
          String done = call.dryRun() ? "would revoke" : "revoked";
          return revoked == 1
              ? "%s %s".formatted(done, what)
              : "%s %s: %s"
                  .formatted(done, what, DisplayFormat.count(revoked, "secret", "secrets"));
        });
  }

  private Task change(Call call, VerbRequest order, Function<String, String> work) {
    return tasks.now(call.compared(), order, by -> Result.done(valid(() -> work.apply(by))));
  }

  private Task issue(Call call, VerbRequest order, String message, Function<String, String> work) {
    return tasks.issue(
        call.compared(),
        order,
        by -> new Issued(valid(() -> work.apply(by)), Result.done(message)));
  }

  private static <T> T valid(Supplier<T> work) {
    try {
      return work.get();
    } catch (IllegalArgumentException e) {
      throw Lookup.invalid(String.valueOf(e.getMessage()));
    }
  }

  private void requireSeen(String name, Call call) {
    if (call.isConditional()) {
      people
          .locked(name)
          .ifPresentOrElse(
              person -> requireSeen(name, person.etag(), call), () -> call.requireUnconditional());
    }
  }

  /** A secret belongs to its key, whose ETag changes with each of its secrets. */
  private void requireKeySeen(String what, Call call) {
    if (call.isConditional()) {
      List<ApiKey> secrets = keys.locked(what);
      if (!secrets.isEmpty()) {
        requireSeen(what, ApiKey.etag(secrets), call);
      }
    }
  }

  private static void requireSeen(String what, String tag, Call call) {
    if (!call.hasSeen(tag)) {
      throw new ProblemException(
          Problem.STALE_VIEW,
          "'%s' has changed since you saw it: its ETag is %s; look at it again"
              .formatted(what, tag));
    }
  }

  private static Set<Role> roles(@Nullable List<String> words) {
    return valid(() -> Role.of(words("roles", Lookup.required("roles", words))));
  }

  /** The elements of a list that may be absent, and must not contain null. */
  private static List<String> words(String field, @Nullable List<String> words) {
    if (words == null) {
      return List.of();
    }
    if (words.stream().anyMatch(Objects::isNull)) {
      throw Lookup.invalid("'%s' contains null: leave it out".formatted(field));
    }
    return words;
  }

  private static @Nullable Duration days(@Nullable Integer days) {
    return days == null ? null : Duration.ofDays(days);
  }
}
