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
import palmares.api.http.Refusals;
import palmares.api.ops.Call;
import palmares.api.ops.Task;
import palmares.api.security.Caller;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.console.VerbForm.Field;
import palmares.console.VerbForm.Values;
import palmares.platform.infra.AnswerTimeouts;

/**
 * Shows each verb as a form: what it would change, a reason, and a button. The form is sent with an
 * idempotency key, so that it has one effect however often it arrives, and with the ETag of the
 * period that it was shown for.
 */
@Console
class VerbPages {
  private static final String REASON = "reason";
  private static final String EXPECT = "expect";
  private static final String REVISION = "revision";

  /** Those of a field that is wrong, and of one that names something that does not exist. */
  private static final Set<HttpStatus> FIELD_REFUSALS =
      Set.of(HttpStatus.BAD_REQUEST, HttpStatus.NOT_FOUND);

  private static final Pattern DIGEST = Pattern.compile("--expect ([0-9a-f]+)");

  private final Api api;
  private final VerbForms verbs;

  VerbPages(Api api, VerbForms verbs) {
    this.api = api;
    this.verbs = verbs;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/verbs/{word}")
  String form(
      @PathVariable String word,
      @RequestParam(required = false) @Nullable String key,
      HttpServletRequest request,
      Model model) {
    VerbForm form = find(word);
    requireRole(form);
    model.addAttribute("keepsKey", true);
    return show(form, values(request), key == null ? newKey() : key, false, model);
  }

  /** The verb checks it, too; this spares a person a form that will be refused. */
  private static void requireRole(VerbForm form) {
    Caller caller = Caller.get();
    if (!caller.has(form.role())) {
      throw new ProblemException(
          Problem.FORBIDDEN,
          "%s needs the role %s, and has: %s"
              .formatted(caller.name(), form.role().word(), Role.words(caller.roles())));
    }
  }

  static String newKey() {
    return UUID.randomUUID().toString();
  }

  @Requires(Role.VIEWER)
  @PostMapping(Console.PATH + "/verbs/{word}")
  String call(
      @PathVariable String word,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    VerbForm form = find(word);
    Values values = values(request);
    String key = request.getParameter("key");
    if (values.is("look")) {
      AnswerTimeouts.unbind(); // A preview may take long.
      return show(form, values, key == null ? newKey() : key, true, model);
    }
    if (form.unbounded()) {
      AnswerTimeouts.unbind();
    }
    try {
      Task task = form.call().call(values, new Call(false, key, values.find("tag")));
      return "redirect:%s/tasks/%d".formatted(Console.PATH, task.id());
    } catch (RuntimeException e) {
      ProblemException refusal = refusal(e);
      response.setStatus(refusal.status().value());
      model.addAttribute("problem", refusal.problem().detail(refusal.getMessage()));
      model.addAttribute("wrong", wrongFields(form, refusal));
      AnswerTimeouts.unbind();
      // What was refused had no effect: with other values, it is another request.
      return show(form, values, newKey(), false, model);
    }
  }

  /** Returns what a form shows as refused; throws what another page shows. */
  static ProblemException refusal(RuntimeException e) {
    ProblemException refusal = Refusals.of(e);
    if (refusal == null
        || refusal.problem() == Problem.FORBIDDEN
        || refusal.status().is5xxServerError()) {
      throw e;
    }
    return refusal;
  }

  /** The fields that a refusal names; none if it is about the state of something. */
  private static Set<String> wrongFields(VerbForm form, ProblemException refusal) {
    if (!FIELD_REFUSALS.contains(refusal.status())) {
      return Set.of();
    }
    String message = String.valueOf(refusal.getMessage());
    return Stream.concat(form.fields().stream().map(Field::name), Stream.of(REASON))
        .filter(name -> Pattern.compile("\\b%s\\b".formatted(name)).matcher(message).find())
        .collect(Collectors.toSet());
  }

  private VerbForm find(String word) {
    return verbs.find(word)
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
  private Values withRevision(VerbForm form, Values values) {
    if (form.fields().stream().noneMatch(field -> field.name().equals(REVISION))
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
  private String show(VerbForm form, Values given, String key, boolean wanted, Model model) {
    for (String target : form.targets()) {
      given.text(target);
    }
    Values values = withRevision(form, given);
    model.addAttribute("verb", form);
    model.addAttribute("values", values.typed());
    model.addAttribute("key", key);
    if (form.targets().contains("period")) {
      var seen = api.periods().get(values.board(), values.period());
      model.addAttribute("tag", seen.getHeaders().getFirst(HttpHeaders.ETAG));
    }
    try {
      addPreview(form, values, wanted || !form.targets().contains("period"), model);
    } catch (RuntimeException e) {
      ProblemException refusal = refusal(e);
      if (model.getAttribute("problem") == null) {
        model.addAttribute("refusal", refusal.problem().detail(refusal.getMessage()));
      }
    }
    return "verb";
  }

  private static void addPreview(VerbForm form, Values values, boolean dryRun, Model model) {
    var notes = new ArrayList<String>();
    if (form.context() != null) {
      Rows context = Rows.of(form.context().apply(values));
      notes.addAll(context.notes());
      model.addAttribute("context", context.withoutNotes(TaskPages.COMMAND));
      model.addAttribute(EXPECT, digest(notes).orElse(null));
    }
    boolean complete =
        form.fields().stream().noneMatch(f -> f.required() && values.find(f.name()) == null);
    if (dryRun && complete) {
      look(form, values, notes, model);
    }
  }

  /** Adds what the verb would change. */
  private static void look(VerbForm form, Values values, List<String> notes, Model model) {
    var typed = new LinkedHashMap<>(values.typed());
    if (values.find(REASON) == null) {
      typed.put(REASON, "dry run");
    }
    typed.remove(EXPECT);
    Optional<String> digest = digest(notes);
    digest.ifPresent(shown -> typed.put(EXPECT, shown));
    Task dryRun = dryRun(form, typed);
    if (digest.isEmpty() && form.fields().stream().anyMatch(f -> f.name().equals(EXPECT))) {
      digest = digest(dryRun.messages());
      if (digest.isPresent()) {
        model.addAttribute("warnings", TaskPages.messages(dryRun));
        typed.put(EXPECT, digest.get());
        dryRun = dryRun(form, typed);
      }
    }
    model.addAttribute(EXPECT, digest.orElse(null));
    model.addAttribute("dryRun", TaskPages.messages(dryRun));
  }

  private static Task dryRun(VerbForm form, Map<String, String> typed) {
    return form.call().call(new Values(typed), new Call(true, null, null));
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
