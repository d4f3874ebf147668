package palmares.api.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.InputSentences;
import palmares.api.http.Operation;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.BoardId;

/** Signs people in with a password, and says who has signed in. */
@RestController
class SignInController {
  private final Sessions sessions;

  SignInController(Sessions sessions) {
    this.sessions = sessions;
  }

  /** Says what a person signs in with. */
  record Credentials(@Nullable String name, @Nullable String password) {}

  /** The present password and a new one. */
  record PasswordChange(@Nullable String present, @Nullable String wanted) {}

  /**
   * Who has signed in.
   *
   * @param boards the boards that the caller may use; empty for all
   * @param operations the operations, other than plain reads, that the caller may call; empty for
   *     all that the roles allow
   */
  record Me(
      String name,
      List<String> roles,
      List<String> boards,
      List<String> operations,
      boolean mustChangePassword) {
    static Me of(Caller caller) {
      return new Me(
          caller.name(),
          caller.roles().stream().sorted().map(Role::word).toList(),
          caller.boards().stream().map(BoardId::value).sorted().toList(),
          caller.operations().stream().sorted().toList(),
          caller.mustChangePassword());
    }
  }

  @Operation("signIn")
  @Requires({})
  @PostMapping(path = "/login", consumes = MediaType.APPLICATION_JSON_VALUE)
  Me signIn(
      @RequestBody Credentials credentials,
      HttpServletRequest request,
      HttpServletResponse response) {
    return Me.of(
        sessions.signIn(
            required("name", credentials.name()),
            required("password", credentials.password()),
            request,
            response));
  }

  @Operation("me")
  @Requires({})
  @GetMapping("/api/v1/ops/me")
  Me me(HttpServletRequest request) {
    Sessions.csrfToken(request);
    return Me.of(caller());
  }

  private static Caller caller() {
    return Caller.find().orElseThrow(AccessRefusals::unauthorized);
  }

  @Operation("changePassword")
  @Requires({})
  @PostMapping(path = "/api/v1/ops/me/password", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.OK)
  Me changePassword(
      @RequestBody PasswordChange change,
      HttpServletRequest request,
      HttpServletResponse response) {
    return Me.of(
        sessions.changePassword(
            caller(),
            required("present", change.present()),
            required("wanted", change.wanted()),
            request,
            response));
  }

  private static String required(String field, @Nullable String value) {
    if (value == null) {
      throw new Refusal(Problem.MISSING_FIELD, new InputSentences.Missing(field)).at(field);
    }
    return value;
  }
}
