package palmares.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.ProblemDetails;
import palmares.api.identity.AccountSentences;
import palmares.api.identity.Sessions;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Signs people in and out, and changes their passwords. */
@Console
class SignInPages {
  /** A path and query as a browser sends them: without characters that end a line. */
  private static final Pattern CONSOLE_PATH =
      Pattern.compile(Pattern.quote(Console.PATH) + "([/?][!-~&&[^\\\\]]*)?");

  private static final String HOME = "redirect:" + Console.PATH;

  private final Sessions sessions;

  SignInPages(Sessions sessions) {
    this.sessions = sessions;
  }

  @Requires({})
  @GetMapping(Console.PATH + "/sign-in")
  String signIn(
      @RequestParam(required = false) @Nullable String next,
      @RequestParam(required = false) @Nullable String expired,
      @RequestAttribute(name = Sessions.REFUSED, required = false) @Nullable Refusal refused,
      Model model) {
    if (Caller.find().isPresent() && expired == null) {
      return to(path(next));
    }
    model.addAttribute("next", next);
    model.addAttribute("expired", expired != null);
    if (refused != null) {
      model.addAttribute("problem", ProblemDetails.of(refused));
    }
    model.addAttribute("provider", sessions.provider().orElse(null));
    return "sign-in";
  }

  /** Shows the page in another language, with all that it had. */
  @Requires({})
  @PostMapping(path = Console.PATH + "/sign-in", params = "lang")
  String inLanguage(
      @RequestParam(defaultValue = "") String name,
      @RequestParam(required = false) @Nullable String next,
      HttpServletRequest request,
      Model model) {
    addTyped(name, next, request, model);
    return "sign-in";
  }

  private void addTyped(
      String name, @Nullable String next, HttpServletRequest request, Model model) {
    model.addAttribute("name", name);
    model.addAttribute("next", next);
    model.addAttribute("typed", FormDraft.typed(request));
    model.addAttribute("provider", sessions.provider().orElse(null));
  }

  /**
   * Signs a person in with a password. Where a provider does that, in another tab, the form leads
   * back to what was typed before the session ended.
   */
  @Requires({})
  @PostMapping(path = Console.PATH + "/sign-in", params = "!lang")
  String signIn(
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "") String password,
      @RequestParam(required = false) @Nullable String next,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    if (sessions.provider().isPresent() && Caller.find().isPresent()) {
      return to(FormDraft.keep(path(next), request));
    }
    if (sessions.provider().isPresent() && name.isEmpty() && password.isEmpty()) {
      addTyped(name, next, request, model);
      model.addAttribute("isTooEarly", true);
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      return "sign-in";
    }
    try {
      Caller caller = sessions.signIn(name, password, request, response);
      String path = FormDraft.keep(path(next), request);
      return caller.mustChangePassword() ? "redirect:" + Console.PATH + "/password" : to(path);
    } catch (Refusal e) {
      addTyped(name, next, request, model);
      return failed(e, response, model, "sign-in");
    }
  }

  /** Only a path of the console: a link must not lead a person to another site, or be no link. */
  private static String path(@Nullable String next) {
    return next != null && CONSOLE_PATH.matcher(next).matches() ? next : Console.PATH;
  }

  /** Spring MVC takes braces in the path of a redirect for the name of a variable. */
  private static String to(String path) {
    return "redirect:" + path.replace("{", "%7B").replace("}", "%7D");
  }

  private static String failed(Refusal e, HttpServletResponse response, Model model, String page) {
    response.setStatus(e.problem().status());
    model.addAttribute("problem", ProblemDetails.of(e));
    return page;
  }

  @Requires({})
  @PostMapping(Console.PATH + "/sign-out")
  void signOut(HttpServletRequest request, HttpServletResponse response) throws IOException {
    sessions.signOut(request, response);
  }

  @Requires({})
  @GetMapping(Console.PATH + "/password")
  String password() {
    return Caller.find().isPresent() ? "password" : "redirect:" + Console.PATH + "/sign-in";
  }

  @Requires({})
  @PostMapping(Console.PATH + "/password")
  String changePassword(
      @RequestParam(defaultValue = "") String present,
      @RequestParam(defaultValue = "") String wanted,
      @RequestParam(defaultValue = "") String again,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    Caller caller = Caller.find().orElse(null);
    if (caller == null) {
      return "redirect:" + Console.PATH + "/sign-in";
    }
    try {
      if (!wanted.equals(again)) {
        throw new Refusal(Problem.INVALID_FIELD, new AccountSentences.NewPasswordsDiffer())
            .at("again");
      }
      sessions.changePassword(caller, present, wanted, request, response);
      return HOME;
    } catch (Refusal e) {
      return failed(e, response, model, "password");
    }
  }
}
