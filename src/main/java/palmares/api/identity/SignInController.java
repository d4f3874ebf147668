package palmares.api.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.security.Caller;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.rules.board.BoardId;

/** Signs people in with a password, and says who has signed in. */
@RestController
class SignInController {
  private final SecurityContextRepository contexts = new HttpSessionSecurityContextRepository();
  private final People people;
  private final RequestRates rates;

  SignInController(People people, RequestRates rates) {
    this.people = people;
    this.rates = rates;
  }

  /** What a person signs in with. */
  record Credentials(@Nullable String name, @Nullable String password) {}

  /** The present password and a new one. */
  record PasswordChange(@Nullable String present, @Nullable String wanted) {}

  /**
   * Who has signed in.
   *
   * @param boards the boards that the caller may use; empty for all
   */
  record Me(String name, List<String> roles, List<String> boards, boolean mustChangePassword) {
    static Me of(Caller caller) {
      return new Me(
          caller.name(),
          caller.roles().stream().sorted().map(Role::word).toList(),
          caller.boards().stream().map(BoardId::value).sorted().toList(),
          caller.mustChangePassword());
    }
  }

  @Requires({})
  @PostMapping(path = "/login", consumes = MediaType.APPLICATION_JSON_VALUE)
  Me signIn(
      @RequestBody Credentials credentials,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (people.hasProvider()) {
      throw new ProblemException(
          Problem.FORBIDDEN, "passwords are not used here: sign in by the provider");
    }
    Person person =
        check(
            required("name", credentials.name()),
            required("password", credentials.password()),
            request);
    return begin(person, request, response);
  }

  /** One answer for all failures, so that it does not tell which names exist. */
  private Person check(String name, String password, HttpServletRequest request) {
    rates.countSignIn(request.getRemoteAddr());
    return people
        .signIn(name, password)
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.UNAUTHORIZED,
                    "the name or the password is wrong, or the person is locked after too many"
                        + " attempts, or disabled"));
  }

  /** Begins a session with a new id, so that nobody can have planted one. */
  private Me begin(Person person, HttpServletRequest request, HttpServletResponse response) {
    if (request.getSession(false) != null) {
      request.getSession().invalidate();
    }
    var context = new SecurityContextImpl(person.caller().authentication());
    SecurityContextHolder.setContext(context);
    contexts.saveContext(context, request, response);
    setCsrfCookie(request);
    return Me.of(person.caller());
  }

  /** Spring Security sets the cookie when somebody reads the token: not on every board's page. */
  private static void setCsrfCookie(HttpServletRequest request) {
    if (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token) {
      token.getToken();
    }
  }

  @Requires({})
  @GetMapping("/api/v1/ops/me")
  Me me(HttpServletRequest request) {
    setCsrfCookie(request);
    return Me.of(caller());
  }

  private static Caller caller() {
    return Caller.find().orElseThrow(AccessRefusals::unauthorized);
  }

  @Requires({})
  @PostMapping(path = "/api/v1/ops/me/password", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.OK)
  Me changePassword(
      @RequestBody PasswordChange change,
      HttpServletRequest request,
      HttpServletResponse response) {
    Caller caller = caller();
    String present = required("present", change.present());
    String wanted = required("wanted", change.wanted());
    if (caller.version() == null) {
      throw new ProblemException(
          Problem.FORBIDDEN, caller.name() + " does not sign in with a password");
    }
    check(caller.name(), present, request);
    try {
      return begin(people.changePassword(caller.name(), present, wanted), request, response);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.INVALID_FIELD, String.valueOf(e.getMessage()));
    }
  }

  private static String required(String field, @Nullable String value) {
    if (value == null) {
      throw new ProblemException(Problem.MISSING_FIELD, "send the field '%s'".formatted(field));
    }
    return value;
  }
}
