package palmares.api.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.security.Caller;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.rules.board.BoardId;

/** Manages people and API keys. */
@RestController
@RequestMapping("/api/v1/ops")
class AccountsController {
  private final People people;
  private final ApiKeys keys;

  AccountsController(People people, ApiKeys keys) {
    this.people = people;
    this.keys = keys;
  }

  /** A person as the API shows it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PersonView(
      String name,
      List<String> roles,
      boolean mustChangePassword,
      @Nullable Instant lockedUntil,
      String createdBy,
      Instant createdAt,
      @Nullable Instant disabledAt) {
    static PersonView of(Person person) {
      return new PersonView(
          person.name(),
          words(person.roles()),
          person.mustChange(),
          person.lockedUntil(),
          person.createdBy(),
          person.createdAt(),
          person.disabledAt());
    }
  }

  /** A secret of an API key as the API shows it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record KeyView(
      String id,
      String name,
      List<String> roles,
      List<String> boards,
      String owner,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt) {
    static KeyView of(ApiKey key) {
      return new KeyView(
          key.id(),
          key.name(),
          words(key.roles()),
          key.boards().stream().map(BoardId::value).sorted().toList(),
          key.owner(),
          key.createdAt(),
          key.expiresAt(),
          key.revokedAt());
    }
  }

  /** A new person. */
  record PersonRequest(@Nullable String name, @Nullable List<String> roles) {}

  /** The roles that replace a person's. */
  record RolesRequest(@Nullable List<String> roles) {}

  /** A new key; without boards it is for all. */
  record KeyRequest(
      @Nullable String name,
      @Nullable List<String> roles,
      @Nullable List<String> boards,
      @Nullable Integer validForDays) {}

  /** What a rotation asks for. */
  record RotationRequest(@Nullable Integer overlapHours, @Nullable Integer validForDays) {}

  /** A password or key, which is shown once. */
  record Issued(String name, String secret) {}

  /** How many secrets were revoked. */
  record Revoked(int secrets) {}

  private static List<String> words(Set<Role> roles) {
    return roles.stream().sorted().map(Role::word).toList();
  }

  @Requires(Role.ADMIN)
  @GetMapping("/people")
  List<PersonView> people() {
    return people.all().stream().map(PersonView::of).toList();
  }

  @Requires(Role.ADMIN)
  @PostMapping(path = "/people", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  Issued add(@RequestBody PersonRequest request) {
    String name = required("name", request.name());
    return issued(name, () -> people.add(name, roles(request.roles()), by()));
  }

  @Requires(Role.ADMIN)
  @PostMapping(path = "/people/{name}/roles", consumes = MediaType.APPLICATION_JSON_VALUE)
  PersonView setRoles(@PathVariable String name, @RequestBody RolesRequest request) {
    return changed(name, () -> people.setRoles(name, roles(request.roles()), by()));
  }

  @Requires(Role.ADMIN)
  @PostMapping("/people/{name}/disable")
  PersonView disable(@PathVariable String name) {
    return changed(name, () -> people.setEnabled(name, false, by()));
  }

  @Requires(Role.ADMIN)
  @PostMapping("/people/{name}/enable")
  PersonView enable(@PathVariable String name) {
    return changed(name, () -> people.setEnabled(name, true, by()));
  }

  @Requires(Role.ADMIN)
  @PostMapping("/people/{name}/reset-password")
  Issued resetPassword(@PathVariable String name) {
    return issued(name, () -> people.resetPassword(name, by()));
  }

  @Requires(Role.ADMIN)
  @GetMapping("/keys")
  List<KeyView> keys() {
    return keys.all().stream().map(KeyView::of).toList();
  }

  @Requires(Role.ADMIN)
  @PostMapping(path = "/keys", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  Issued create(@RequestBody KeyRequest request) {
    String name = required("name", request.name());
    return issued(
        name,
        () ->
            keys.create(
                new NewKey(
                    name,
                    roles(request.roles()),
                    boards(request.boards()),
                    days(request.validForDays())),
                by()));
  }

  @Requires(Role.ADMIN)
  @PostMapping(path = "/keys/{name}/rotate", consumes = MediaType.APPLICATION_JSON_VALUE)
  Issued rotate(@PathVariable String name, @RequestBody RotationRequest request) {
    Duration overlap =
        request.overlapHours() == null
            ? ApiKeys.DEFAULT_OVERLAP
            : Duration.ofHours(request.overlapHours());
    return issued(name, () -> keys.rotate(name, overlap, days(request.validForDays()), by()));
  }

  @Requires(Role.ADMIN)
  @PostMapping("/keys/{what}/revoke")
  Revoked revoke(@PathVariable String what) {
    int revoked = keys.revoke(what, by());
    if (revoked == 0) {
      throw new ProblemException(
          Problem.ACCOUNT_REFUSED,
          "no valid secret has the id '%1$s', or the key '%1$s'".formatted(what));
    }
    return new Revoked(revoked);
  }

  private PersonView changed(String name, Runnable change) {
    issued(
        name,
        () -> {
          change.run();
          return "";
        });
    return people.find(name).map(PersonView::of).orElseThrow();
  }

  private static Issued issued(String name, Supplier<String> work) {
    try {
      return new Issued(name, work.get());
    } catch (AccountRefused e) {
      throw new ProblemException(Problem.ACCOUNT_REFUSED, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.INVALID_FIELD, String.valueOf(e.getMessage()));
    }
  }

  private static String by() {
    return Caller.get().name();
  }

  private static Set<Role> roles(@Nullable List<String> words) {
    return Role.of(required("roles", words));
  }

  private static Set<BoardId> boards(@Nullable List<String> words) {
    return words == null
        ? Set.of()
        : words.stream().map(BoardId::new).collect(Collectors.toUnmodifiableSet());
  }

  private static @Nullable Duration days(@Nullable Integer days) {
    return days == null ? null : Duration.ofDays(days);
  }

  private static <T> T required(String field, @Nullable T value) {
    if (value == null) {
      throw new ProblemException(Problem.MISSING_FIELD, "send the field '%s'".formatted(field));
    }
    return value;
  }
}
