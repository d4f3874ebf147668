package palmares.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.ProblemDetails;
import palmares.api.identity.ApiKey;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.People;
import palmares.api.identity.Sessions;
import palmares.api.ops.AccountResource.KeyRequest;
import palmares.api.ops.AccountResource.PersonRequest;
import palmares.api.ops.AccountResource.RolesRequest;
import palmares.api.ops.AccountResource.RotationRequest;
import palmares.api.ops.ReasonRequest;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Sha256;

/**
 * Manages people and API keys by the verbs of the operations API. A new password or secret is shown
 * once, and never stored. All forms of a page have its key; with a form's address, it makes an
 * idempotency key, so that each form has one effect however often it is sent.
 */
@Console
class PeoplePages {
  private static final String PATH = Console.PATH + "/people";

  private final Api api;
  private final People people;
  private final ApiKeys keys;
  private final Sessions sessions;

  PeoplePages(Api api, People people, ApiKeys keys, Sessions sessions) {
    this.api = api;
    this.people = people;
    this.keys = keys;
    this.sessions = sessions;
  }

  @Requires(Role.ADMIN)
  @GetMapping(PATH)
  String page(@RequestParam(required = false) @Nullable String key, Model model) {
    model.addAttribute("keepsKey", true);
    return show(key == null ? VerbPages.newKey() : key, model);
  }

  /** Shows a person's own roles and keys. */
  @Requires({Role.READER, Role.WRITER})
  @GetMapping(Console.PATH + "/me")
  String me(Model model) {
    Caller caller = Caller.get();
    model.addAttribute("own", caller.roles().stream().map(Role::word).toList());
    model.addAttribute(
        "keys",
        keys.all().stream()
            .filter(key -> key.own() && key.owner().equalsIgnoreCase(caller.name()))
            .toList());
    model.addAttribute("hasProvider", sessions.provider().isPresent());
    return "me";
  }

  private String show(String key, Model model) {
    model.addAttribute("key", key);
    List<ApiKey> all = keys.all();
    Map<String, String> tags =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    ApiKey::name, Collectors.collectingAndThen(Collectors.toList(), ApiKey::etag)));
    model.addAttribute("people", people.all());
    model.addAttribute("keys", all);
    model.addAttribute("tags", tags);
    model.addAttribute("validDays", validDays(all));
    model.addAttribute("roles", Arrays.stream(Role.values()).map(Role::word).toList());
    model.addAttribute(
        "programRoles",
        Arrays.stream(Role.values())
            .filter(role -> role != Role.APPROVER) // Nobody knows who has a program's key.
            .map(Role::word)
            .toList());
    model.addAttribute("hasProvider", sessions.provider().isPresent());
    return "people";
  }

  /**
   * How many days the latest secret of each key is valid from its creation on, by the names of the
   * keys; none for one without end.
   *
   * @param secrets the oldest first
   */
  private static Map<String, Long> validDays(List<ApiKey> secrets) {
    var days = new HashMap<String, Long>();
    for (ApiKey secret : secrets) {
      Instant end = secret.expiresAt();
      days.remove(secret.name());
      if (end != null) {
        long whole = Duration.between(secret.createdAt(), end).toDays();
        days.put(secret.name(), Math.max(1, whole));
      }
    }
    return days;
  }

  /** Calls a verb, and shows the secret that it makes, what it would do, or why it is refused. */
  private String change(
      String name, Call call, HttpServletResponse response, Model model, Supplier<Task> verb) {
    try {
      Task task = verb.get();
      if (call.dryRun()) {
        model.addAttribute("dryRun", task.messages());
        return show(VerbPages.newKey(), model);
      }
      String secret = task.secret();
      if (secret == null) {
        return "redirect:" + PATH;
      }
      response.setHeader("Cache-Control", "no-store");
      model.addAttribute("secretOf", name);
      model.addAttribute("secret", secret);
    } catch (RuntimeException e) {
      Refusal refusal = VerbPages.refusal(e);
      response.setStatus(refusal.problem().status());
      model.addAttribute("problem", ProblemDetails.of(refusal));
    }
    // What was refused had no effect: with other values, it is another request.
    return show(VerbPages.newKey(), model);
  }

  /**
   * How a form calls its verb.
   *
   * @param key of its page; null from a program, which may repeat what it sends
   * @param tag of what it changes, as the page showed it; null for none
   */
  private static Call call(HttpServletRequest form, @Nullable String key, @Nullable String tag) {
    boolean isOnce = key != null && !key.isEmpty();
    return new Call(
        form.getParameter("look") != null,
        isOnce ? Sha256.of(key + form.getRequestURI()) : null,
        tag);
  }

  @Requires(Role.ADMIN)
  @PostMapping(PATH)
  String addPerson(
      @RequestParam(defaultValue = "") String name,
      @RequestParam(required = false) @Nullable List<String> roles,
      @RequestParam(defaultValue = "") String personReason,
      @RequestParam(required = false) @Nullable String key,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    Call call = call(request, key, null);
    return change(
        name,
        call,
        response,
        model,
        () ->
            api.accounts()
                .addPerson(new PersonRequest(personReason, name.strip(), selected(roles)), call));
  }

  private static List<String> selected(@Nullable List<String> words) {
    return words == null ? List.of() : words;
  }

  /**
   * @param tag of the person, as the page showed it
   */
  @Requires(Role.ADMIN)
  @PostMapping(PATH + "/{name}/{verb}")
  String changePerson(
      @PathVariable String name,
      @PathVariable String verb,
      @RequestParam(required = false) @Nullable List<String> role,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(required = false) @Nullable String tag,
      @RequestParam(required = false) @Nullable String key,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    var accounts = api.accounts();
    Call call = call(request, key, tag);
    var why = new ReasonRequest(reason);
    return change(
        name,
        call,
        response,
        model,
        () ->
            switch (verb) {
              case "roles" ->
                  accounts.setRoles(name, new RolesRequest(reason, selected(role)), call);
              case "enable" -> accounts.enablePerson(name, why, call);
              case "disable" -> accounts.disablePerson(name, why, call);
              case "end-sessions" -> accounts.endSessions(name, why, call);
              case "reset-password" -> accounts.resetPassword(name, why, call);
              default -> throw noVerb(verb);
            });
  }

  private static Refusal noVerb(String verb) {
    return new Refusal(Problem.NOT_FOUND, new PageSentences.NoForm(verb));
  }

  @Requires(Role.ADMIN)
  @PostMapping(PATH + "/keys")
  String addKey(
      @RequestParam(defaultValue = "") String keyName,
      @RequestParam(required = false) @Nullable List<String> keyRoles,
      @RequestParam(defaultValue = "") String boards,
      @RequestParam(defaultValue = "") String operations,
      @RequestParam(defaultValue = "") String days,
      @RequestParam(defaultValue = "") String keyReason,
      @RequestParam(required = false) @Nullable String key,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    Call call = call(request, key, null);
    return change(
        keyName,
        call,
        response,
        model,
        () ->
            api.accounts()
                .createKey(
                    new KeyRequest(
                        keyReason,
                        keyName.strip(),
                        selected(keyRoles),
                        words(boards),
                        words(operations),
                        days(days)),
                    call));
  }

  /** Words with commas or spaces between them. */
  private static List<String> words(String text) {
    return Arrays.stream(text.split("[,\\s]+")).filter(word -> !word.isEmpty()).toList();
  }

  private static @Nullable Integer days(String text) {
    if (text.isBlank()) {
      return null;
    }
    try {
      return Integer.valueOf(text.strip());
    } catch (NumberFormatException e) {
      throw new Refusal(Problem.INVALID_FIELD, new PageSentences.NoDays(text)).at("validForDays");
    }
  }

  /**
   * @param tag of the key, as the page showed it
   */
  @Requires(Role.ADMIN)
  @PostMapping(PATH + "/keys/{name}/{verb}")
  String changeKey(
      @PathVariable String name,
      @PathVariable String verb,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "") String validForDays,
      @RequestParam(required = false) @Nullable String tag,
      @RequestParam(required = false) @Nullable String key,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    Call call = call(request, key, tag);
    return change(
        name,
        call,
        response,
        model,
        () ->
            switch (verb) {
              case "rotate" ->
                  api.accounts()
                      .rotateKey(name, new RotationRequest(reason, null, days(validForDays)), call);
              case "revoke" -> api.accounts().revokeKey(name, new ReasonRequest(reason), call);
              default -> throw noVerb(verb);
            });
  }
}
