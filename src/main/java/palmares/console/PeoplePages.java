package palmares.console;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.identity.AccountRefused;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.identity.People;
import palmares.api.identity.Sessions;
import palmares.api.security.Caller;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.rules.board.BoardId;

/** Manages people and API keys. A new password or secret is shown once, and never stored. */
@Console
class PeoplePages {
  private static final String PATH = Console.PATH + "/people";

  private final People people;
  private final ApiKeys keys;
  private final Sessions sessions;

  PeoplePages(People people, ApiKeys keys, Sessions sessions) {
    this.people = people;
    this.keys = keys;
    this.sessions = sessions;
  }

  @Requires(Role.ADMIN)
  @GetMapping(PATH)
  String page(Model model) {
    return show(model);
  }

  private String show(Model model) {
    model.addAttribute("people", people.all());
    model.addAttribute("keys", keys.all());
    model.addAttribute("roles", Arrays.stream(Role.values()).map(Role::word).toList());
    model.addAttribute("hasProvider", sessions.provider().isPresent());
    return "people";
  }

  /** Makes one change, which returns a secret to show; null for none. */
  @FunctionalInterface
  private interface Change {
    @Nullable String make(String by);
  }

  private String change(String name, HttpServletResponse response, Model model, Change change) {
    try {
      String secret = change.make(Caller.get().name());
      if (secret == null) {
        return "redirect:" + PATH;
      }
      response.setHeader("Cache-Control", "no-store");
      model.addAttribute("secretOf", name);
      model.addAttribute("secret", secret);
    } catch (AccountRefused e) {
      failed(Problem.ACCOUNT_REFUSED, e, response, model);
    } catch (IllegalArgumentException e) {
      failed(Problem.INVALID_FIELD, e, response, model);
    }
    return show(model);
  }

  private static void failed(
      Problem problem, RuntimeException e, HttpServletResponse response, Model model) {
    response.setStatus(problem.status().value());
    model.addAttribute("problem", problem.detail(e.getMessage()));
  }

  @Requires(Role.ADMIN)
  @PostMapping(PATH)
  String addPerson(
      @RequestParam(defaultValue = "") String name,
      @RequestParam(required = false) @Nullable List<String> roles,
      HttpServletResponse response,
      Model model) {
    return change(name, response, model, by -> people.add(name.strip(), Role.of(words(roles)), by));
  }

  private static List<String> words(@Nullable List<String> words) {
    return words == null ? List.of() : words;
  }

  @Requires(Role.ADMIN)
  @PostMapping(PATH + "/{name}/{verb}")
  String changePerson(
      @PathVariable String name,
      @PathVariable String verb,
      @RequestParam(required = false) @Nullable List<String> role,
      HttpServletResponse response,
      Model model) {
    return change(
        name,
        response,
        model,
        by -> {
          switch (verb) {
            case "roles" -> people.setRoles(name, Role.of(words(role)), by);
            case "enable" -> people.setEnabled(name, true, by);
            case "disable" -> people.setEnabled(name, false, by);
            case "reset-password" -> {
              return people.resetPassword(name, by);
            }
            default -> throw noVerb(verb);
          }
          return null;
        });
  }

  private static ProblemException noVerb(String verb) {
    return new ProblemException(Problem.NOT_FOUND, "there is no form for '" + verb + "'");
  }

  @Requires(Role.ADMIN)
  @PostMapping(PATH + "/keys")
  String addKey(
      @RequestParam(defaultValue = "") String keyName,
      @RequestParam(required = false) @Nullable List<String> keyRoles,
      @RequestParam(defaultValue = "") String boards,
      @RequestParam(defaultValue = "") String days,
      HttpServletResponse response,
      Model model) {
    return change(
        keyName,
        response,
        model,
        by ->
            keys.create(
                new NewKey(keyName.strip(), Role.of(words(keyRoles)), boards(boards), days(days)),
                by));
  }

  private static Set<BoardId> boards(String text) {
    return Arrays.stream(text.split("[,\\s]+"))
        .filter(word -> !word.isEmpty())
        .map(BoardId::new)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static @Nullable Duration days(String text) {
    if (text.isBlank()) {
      return null;
    }
    try {
      return Duration.ofDays(Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'%s' is no number of days, such as 90".formatted(text), e);
    }
  }

  @Requires(Role.ADMIN)
  @PostMapping(PATH + "/keys/{key}/{verb}")
  String changeKey(
      @PathVariable String key,
      @PathVariable String verb,
      HttpServletResponse response,
      Model model) {
    return change(
        key,
        response,
        model,
        by -> {
          switch (verb) {
            case "rotate" -> {
              return keys.rotate(key, ApiKeys.DEFAULT_OVERLAP, null, by);
            }
            case "revoke" -> {
              if (keys.revoke(key, by) == 0) {
                throw new ProblemException(
                    Problem.ACCOUNT_REFUSED, "no valid secret has the key '%s'".formatted(key));
              }
              return null;
            }
            default -> throw noVerb(verb);
          }
        });
  }
}
