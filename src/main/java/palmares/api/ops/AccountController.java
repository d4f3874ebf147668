package palmares.api.ops;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Operations;
import palmares.api.identity.AccountSentences;
import palmares.api.identity.ApiKey;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.identity.People;
import palmares.api.identity.Person;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.Tasks.Issued;
import palmares.operations.tasks.VerbRequest;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputTable;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

@RestController
class AccountController implements AccountResource {
  private static final OutputTable<PersonRow> PEOPLE = OutputTable.of(PersonRow.class);
  private static final OutputTable<KeyRow> KEYS =
      OutputTable.of(KeyRow.class)
          .shown("boards", key -> orAll(key.boards()))
          .shown("operations", key -> orAll(key.operations()));

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

  private static List<String> orAll(Stream<String> words) {
    List<String> sorted = words.sorted().toList();
    return sorted.isEmpty() ? List.of("all") : sorted;
  }

  private static String orAll(List<String> words) {
    return String.join(", ", orAll(words.stream()));
  }

  private static PersonRow row(Person person) {
    return new PersonRow(
        person.name(),
        person.roles().stream().sorted().toList(),
        person.mustChange(),
        person.createdAt(),
        person.createdBy(),
        person.lockedUntil(),
        person.disabledAt(),
        person.etag());
  }

  @Override
  public Rows<PersonRow> people() {
    return Listing.of(PEOPLE, "people", people.all().stream().map(AccountController::row).toList());
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
        new AccountSentences.Added(call.dryRun(), name, Role.list(roles)),
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
          return Result.done(new AccountSentences.Roles(call.dryRun(), name, Role.list(roles)));
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
          if (enabled) {
            return Result.done(new AccountSentences.Enabled(call.dryRun(), name));
          }
          Result done = Result.done(new AccountSentences.Disabled(call.dryRun(), name));
          List<String> owned = keys.of(name);
          return owned.isEmpty()
              ? done
              : done.and(List.of(new AccountSentences.KeysOfDisabled(name, owned)));
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
          Result done = Result.done(new AccountSentences.SessionsEnded(call.dryRun(), name));
          List<String> owned = keys.of(name);
          return owned.isEmpty()
              ? done
              : done.and(List.of(new AccountSentences.KeysStayValid(owned)))
                  .then(
                      owned.stream().map(key -> Next.of("revoke-key").with("name", key)).toList());
        });
  }

  @Override
  public Task resetPassword(String name, ReasonRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    return issue(
        call,
        new VerbRequest("reset-password", null, null, reason, List.of(name, body)),
        new AccountSentences.PasswordReset(call.dryRun(), name),
        by -> {
          requireSeen(name, call);
          return people.resetPassword(name, by, reason);
        });
  }

  @Override
  public Rows<KeyRow> keys() {
    List<ApiKey> all = keys.all();
    Map<String, List<ApiKey>> secrets = all.stream().collect(Collectors.groupingBy(ApiKey::name));
    return Listing.of(
        KEYS,
        "keys",
        all.stream()
            .map(key -> row(key, ApiKey.etag(secrets.getOrDefault(key.name(), List.of()))))
            .toList());
  }

  private static KeyRow row(ApiKey key, String etag) {
    return new KeyRow(
        key.id(),
        key.name(),
        key.roles().stream().sorted().toList(),
        key.boards().stream().map(BoardId::value).sorted().toList(),
        key.operations().stream().sorted().toList(),
        key.owner(),
        key.createdAt(),
        key.expiresAt(),
        key.revokedAt(),
        etag);
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
    var key =
        new NewKey(
            Lookup.required("name", body.name()),
            roles(body.roles()),
            orNone(body.boards()).stream()
                .map(word -> lookup.inForce(word).id())
                .collect(Collectors.toUnmodifiableSet()),
            orNone(body.operations()).stream()
                .map(this::operation)
                .collect(Collectors.toUnmodifiableSet()),
            days(body.validForDays()));
    return issue(
        call,
        new VerbRequest(verb, null, null, reason, body),
        new AccountSentences.KeyCreated(
            call.dryRun(),
            key.name(),
            Role.list(key.roles()),
            orAll(key.boards().stream().map(BoardId::value)),
            orAll(key.operations().stream())),
        by -> creation.create(key, by, reason));
  }

  private String operation(String word) {
    if (operations.givesAccess(word)) {
      throw Lookup.invalid("operations", new AccountSentences.AccessToAll(word));
    }
    return Lookup.oneOf("operations", operations.ids(), word);
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
        new AccountSentences.KeyRotated(call.dryRun(), name, overlap.toHours()),
        by -> {
          requireKeySeen(name, call);
          return keys.rotate(name, overlap, validFor, by, reason);
        });
  }

  @Override
  public Task revokeKey(String what, ReasonRequest body, Call call) {
    return revoke(
        "revoke-key", what, body, call, () -> true, new AccountSentences.NoKeyInUse(what));
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
            ? new AccountSentences.NoKeyToRevoke(what, caller.name())
            : new AccountSentences.NoOwnKey(what));
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
      Sentence unused) {
    String reason = Lookup.reason(body.reason());
    return change(
        call,
        new VerbRequest(verb, null, null, reason, List.of(what, body)),
        by -> {
          if (!isAllowed.getAsBoolean()) {
            throw unused(unused);
          }
          requireKeySeen(what, call);
          int revoked = keys.revoke(what, by, reason);
          if (revoked == 0) {
            throw unused(unused);
          }
          return Result.done(
              revoked == 1
                  ? new AccountSentences.KeyRevoked(call.dryRun(), what)
                  : new AccountSentences.SecretsRevoked(call.dryRun(), what, revoked));
        });
  }

  private static Refusal unused(Sentence said) {
    return new Refusal(Problem.ACCOUNT_REFUSED, said).then(Next.of("api-keys"));
  }

  private Task change(Call call, VerbRequest order, Function<String, Result> work) {
    return tasks.now(call.compared(), order, work);
  }

  private Task issue(Call call, VerbRequest order, Sentence said, Function<String, String> work) {
    return tasks.issue(call.compared(), order, by -> new Issued(work.apply(by), Result.done(said)));
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
      throw new Refusal(Problem.STALE_VIEW, new AccountSentences.Changed(what, tag));
    }
  }

  private static Set<Role> roles(@Nullable List<String> words) {
    try {
      return Role.of(Lookup.required("roles", words));
    } catch (InvalidValue e) {
      throw Lookup.invalid("roles", e.said());
    }
  }

  private static List<String> orNone(@Nullable List<String> words) {
    return Objects.requireNonNullElse(words, List.of());
  }

  private static @Nullable Duration days(@Nullable Integer days) {
    return days == null ? null : Duration.ofDays(days);
  }
}
