package palmares.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.Call;
import palmares.api.ops.Task;
import palmares.api.security.Caller;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.console.Act.Field;
import palmares.console.Act.Values;
import palmares.platform.infra.AnswerTimeouts;

/**
 * Shows each verb as a form: what it would change, a reason, and a button. The form is sent with an
 * idempotency key, so that it has one effect however often it arrives, and with the ETag of the
 * period that it was shown for.
 */
@Console
class ActPages {
  private static final String REASON = "reason";
  private static final String EXPECT = "expect";
  private static final String REVISION = "revision";

  /** Those of a field that is wrong, and of one that names something that does not exist. */
  private static final Set<HttpStatus> FIELD_REFUSALS =
      Set.of(HttpStatus.BAD_REQUEST, HttpStatus.NOT_FOUND);

  private static final Pattern DIGEST = Pattern.compile("--expect ([0-9a-f]+)");

  private final Api api;
  private final Acts acts;

  ActPages(Api api, Acts acts) {
    this.api = api;
    this.acts = acts;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/act/{word}")
  String form(
      @PathVariable String word,
      @RequestParam(required = false) @Nullable String key,
      HttpServletRequest request,
      Model model) {
    Act act = act(word);
    requireRole(act);
    model.addAttribute("keepsKey", true);
    return show(act, values(request), key == null ? newKey() : key, false, model);
  }

  /** The verb checks it, too; this spares a person a form that will be refused. */
  private static void requireRole(Act act) {
    Caller caller = Caller.get();
    if (!caller.has(act.role())) {
      throw new ProblemException(
          Problem.FORBIDDEN,
          "%s needs the role %s, and has: %s"
              .formatted(caller.name(), act.role().word(), Role.words(caller.roles())));
    }
  }

  static String newKey() {
    return UUID.randomUUID().toString();
  }

  @Requires(Role.VIEWER)
  @PostMapping(Console.PATH + "/act/{word}")
  String act(
      @PathVariable String word,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    Act act = act(word);
    Values values = values(request);
    String key = request.getParameter("key");
    if (values.is("look")) {
      AnswerTimeouts.unbind(); // A preview may take long.
      return show(act, values, key == null ? newKey() : key, true, model);
    }
    if (act.unbounded()) {
      AnswerTimeouts.unbind();
    }
    try {
      Task task = act.call().call(values, new Call(false, key, values.find("tag")));
      return "redirect:%s/tasks/%d".formatted(Console.PATH, task.id());
    } catch (RuntimeException e) {
      ProblemException refusal = refusal(e);
      response.setStatus(refusal.status().value());
      model.addAttribute("problem", refusal.problem().detail(refusal.getMessage()));
      model.addAttribute("wrong", wrongFields(act, refusal));
      AnswerTimeouts.unbind();
      // What was refused had no effect: with other values, it is another request.
      return show(act, values, newKey(), false, model);
    }
  }

  /** Returns what a form shows as refused; throws what another page shows. */
  static ProblemException refusal(RuntimeException e) {
    ProblemException refusal = ProblemException.of(e);
    if (refusal == null
        || refusal.problem() == Problem.FORBIDDEN
        || refusal.status().is5xxServerError()) {
      throw e;
    }
    return refusal;
  }

  /** The fields that a refusal names; none if it is about the state of something. */
  private static Set<String> wrongFields(Act act, ProblemException refusal) {
    if (!FIELD_REFUSALS.contains(refusal.status())) {
      return Set.of();
    }
    String message = String.valueOf(refusal.getMessage());
    return Stream.concat(act.fields().stream().map(Field::name), Stream.of(REASON))
        .filter(name -> Pattern.compile("\\b%s\\b".formatted(name)).matcher(message).find())
        .collect(Collectors.toSet());
  }

  private Act act(String word) {
    return acts.find(word)
        .orElseThrow(
            () -> new ProblemException(Problem.NOT_FOUND, "there is no form for '" + word + "'"));
  }

  private static Values values(HttpServletRequest request) {
    Map<String, String> values = new LinkedHashMap<>();
    Enumeration<String> names = request.getParameterNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement();
      values.put(name, request.getParameter(name));
    }
    return new Values(values);
  }

  /** The same values, with the revision that a decision is about: an undecided amendment. */
  private Values withRevision(Act act, Values values) {
    if (act.fields().stream().noneMatch(field -> field.name().equals(REVISION))
        || values.find(REVISION) != null) {
      return values;
    }
    var typed = new LinkedHashMap<>(values.typed());
    Rows.of(api.periods().revisions(values.board(), values.period(), null, null)).rows().stream()
        .filter(row -> row.get("amends") != null && "undecided".equals(row.get("status")))
        .forEach(row -> typed.put(REVISION, String.valueOf(row.get(REVISION))));
    return new Values(typed);
  }

  /**
   * @param wanted whether a person has asked for a dry run. That of a verb on a period does its
   *     work under the period's lease and takes it back, so that a page that is merely opened makes
   *     none
   */
  private String show(Act act, Values given, String key, boolean wanted, Model model) {
    for (String target : act.targets()) {
      given.text(target);
    }
    Values values = withRevision(act, given);
    model.addAttribute("act", act);
    model.addAttribute("values", values.typed());
    model.addAttribute("key", key);
    if (act.targets().contains("period")) {
      var seen = api.periods().get(values.board(), values.period());
      model.addAttribute("tag", seen.getHeaders().getFirst(HttpHeaders.ETAG));
    }
    try {
      addPreview(act, values, wanted || !act.targets().contains("period"), model);
    } catch (RuntimeException e) {
      ProblemException refusal = refusal(e);
      if (model.getAttribute("problem") == null) {
        model.addAttribute("refusal", refusal.problem().detail(refusal.getMessage()));
      }
    }
    return "act";
  }

  private static void addPreview(Act act, Values values, boolean dryRun, Model model) {
    var notes = new ArrayList<String>();
    if (act.context() != null) {
      Rows context = Rows.of(act.context().apply(values));
      notes.addAll(context.notes());
      model.addAttribute("context", context.withoutNotes(TaskPages.COMMAND));
      model.addAttribute(EXPECT, digest(notes).orElse(null));
    }
    boolean complete =
        act.fields().stream().noneMatch(f -> f.required() && values.find(f.name()) == null);
    if (dryRun && complete) {
      look(act, values, notes, model);
    }
  }

  /** Adds what the verb would change. */
  private static void look(Act act, Values values, List<String> notes, Model model) {
    var typed = new LinkedHashMap<>(values.typed());
    if (values.find(REASON) == null) {
      typed.put(REASON, "dry run");
    }
    typed.remove(EXPECT);
    Optional<String> digest = digest(notes);
    digest.ifPresent(shown -> typed.put(EXPECT, shown));
    Task dryRun = dryRun(act, typed);
    if (digest.isEmpty() && act.fields().stream().anyMatch(f -> f.name().equals(EXPECT))) {
      digest = digest(dryRun.messages());
      if (digest.isPresent()) {
        model.addAttribute("warnings", TaskPages.messages(dryRun));
        typed.put(EXPECT, digest.get());
        dryRun = dryRun(act, typed);
      }
    }
    model.addAttribute(EXPECT, digest.orElse(null));
    model.addAttribute("dryRun", TaskPages.messages(dryRun));
  }

  private static Task dryRun(Act act, Map<String, String> typed) {
    return act.call().call(new Values(typed), new Call(true, null, null));
  }

  /** The digest of what is shown, which an approval names. */
  private static Optional<String> digest(List<String> messages) {
    return messages.stream()
        .map(DIGEST::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .findFirst();
  }
}
