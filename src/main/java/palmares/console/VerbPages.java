package palmares.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.ProblemDetails;
import palmares.api.identity.AccessSentences;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.console.VerbForm.Values;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.ExpectedPayout;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.threads.AnswerTimeouts;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;

/**
 * Shows each verb as a form: what it would change, a reason, and a button. The form is sent with an
 * idempotency key, so that it has one effect however often it arrives, and with the ETag of the
 * period that it was shown for. If money moves, the button names the sum; where a person's decision
 * on ties changes the sum, the form is shown with the new one before anything is paid.
 */
@Console
class VerbPages {
  private static final String REASON = "reason";
  private static final String EXPECT = "expect";
  private static final String REVISION = "revision";
  private static final String TIES = "ties";

  /** The field that has the decision on ties whose sum the button named. */
  private static final String SHOWN_TIES = "shownTies";

  /** The field that says what the preview was shown for. */
  private static final String SHOWN = "shown";

  /** The verbs that pay at once unless their closing is held. */
  static final Set<String> CLOSINGS = Set.of("close", "restart");

  private final Api api;
  private final VerbForms verbs;
  private final InboxCount inbox;
  private final Catalogue boards;
  private final PageModel pages;

  VerbPages(Api api, VerbForms verbs, InboxCount inbox, Catalogue boards, PageModel pages) {
    this.api = api;
    this.verbs = verbs;
    this.inbox = inbox;
    this.boards = boards;
    this.pages = pages;
  }

  @Requires({Role.READER, Role.WRITER})
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
    if (!form.mayBeCalled()) {
      throw new Refusal(
          Problem.FORBIDDEN,
          new AccessSentences.NoRole(
              caller.name(), Role.list(form.roles()), Role.list(caller.roles())));
    }
  }

  static String newKey() {
    return UUID.randomUUID().toString();
  }

  @Requires({Role.READER, Role.WRITER})
  @PostMapping(Console.PATH + "/verbs/{word}")
  String call(
      @PathVariable String word,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    VerbForm form = find(word);
    Values values = values(request);
    String key = request.getParameter("key");
    requireRole(form);
    if (values.is("look") || hasUnseenSum(values) || isUnseen(form, values)) {
      AnswerTimeouts.unbind(); // A preview may take long.
      return show(form, values, key == null ? newKey() : key, true, model);
    }
    if (form.unbounded()) {
      AnswerTimeouts.unbind();
    }
    try {
      Task task = form.call().call(values, new Call(false, key, values.find("tag")));
      inbox.expire();
      if (task.secret() != null) {
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        model.addAttribute("secret", task.secret());
        model.addAttribute("secretOf", values.find("name"));
        return "secret";
      }
      return "redirect:%s/tasks/%s".formatted(Console.PATH, task.id());
    } catch (RuntimeException e) {
      Refusal refusal = refusal(e);
      response.setStatus(refusal.problem().status());
      model.addAttribute("problem", ProblemDetails.of(refusal));
      model.addAttribute("wrong", wrongFields(refusal));
      model.addAttribute("steps", steps(form, refusal));
      AnswerTimeouts.unbind();
      // What was refused had no effect: with other values, it is another request.
      return show(form, values, newKey(), false, model);
    }
  }

  /** Whether a decision on ties changes the sum, and the person has not seen that yet. */
  private static boolean hasUnseenSum(Values values) {
    String ties = values.find(TIES);
    return values.is(SHOWN_TIES) && ties != null && !ties.equals(values.find(SHOWN_TIES));
  }

  /**
   * Whether a person must see what it would change first: nothing, or something else, was shown.
   */
  private static boolean isUnseen(VerbForm form, Values values) {
    return form.isPreviewed() && !form.shown(values).equals(values.find(SHOWN));
  }

  /** Returns what a form shows as refused; throws what another page shows. */
  static Refusal refusal(RuntimeException e) {
    if (e instanceof Refusal refusal
        && refusal.problem() != Problem.FORBIDDEN
        && !refusal.problem().isOfServer()) {
      return refusal;
    }
    throw e;
  }

  /** What can be done about a refusal with other forms: this one is shown with it. */
  private List<TaskPages.Next> steps(VerbForm form, Refusal refusal) {
    return TaskPages.Next.of(refusal.next(), verbs).stream()
        .filter(step -> !step.word().equals(form.word()))
        .toList();
  }

  /** The fields that a refusal is about; none if it is about the state of something. */
  private static Set<String> wrongFields(Refusal refusal) {
    return refusal.faults().stream()
        .map(fault -> fault.pointer().substring(1))
        .collect(Collectors.toSet());
  }

  private VerbForm find(String word) {
    return verbs
        .find(word)
        .orElseThrow(() -> new Refusal(Problem.NOT_FOUND, new PageSentences.NoForm(word)));
  }

  private static Values values(HttpServletRequest request) {
    Map<String, String> values = new LinkedHashMap<>();
    Enumeration<String> names = request.getParameterNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement();
      values.put(name, String.join(" ", request.getParameterValues(name)));
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
    Rows.of(api.periods().revisions(values.board(), values.period(), PageRequest.FIRST))
        .rows()
        .stream()
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
    Optional.of("board")
        .filter(form.targets()::contains)
        .flatMap(target -> BoardId.parse(values.board()))
        .flatMap(boards::find)
        .ifPresent(board -> pages.useNamedZone(board.zone(), model));
    model.addAttribute("verb", form);
    model.addAttribute("values", values.typed());
    model.addAttribute("key", key);
    model.addAttribute(
        "boardNames", boards.all().stream().map(board -> board.id().value()).sorted().toList());
    model.addAttribute("isOver", false);
    model.addAttribute("hasTies", false);
    // A key of one's own has no other roles.
    model.addAttribute(
        "roles",
        Role.withIncluded(Caller.get().roles()).stream().sorted().map(Role::word).toList());
    if (form.targets().contains("period")) {
      model.addAttribute("tag", tag(form, values));
    }
    try {
      addPreview(
          form,
          values,
          wanted || !form.targets().contains("period") && form.isNamed(values),
          model);
    } catch (RuntimeException e) {
      Refusal refusal = refusal(e);
      if (model.getAttribute("problem") == null) {
        model.addAttribute("refusal", ProblemDetails.of(refusal));
        model.addAttribute("wrong", wrongFields(refusal));
        model.addAttribute("steps", steps(form, refusal));
      }
    }
    return "verb";
  }

  /** What the page shows of a period; null if it was never opened and has late events alone. */
  private @Nullable String tag(VerbForm form, Values values) {
    try {
      var seen = api.periods().get(values.board(), values.period());
      return seen.getHeaders().getFirst(HttpHeaders.ETAG);
    } catch (Refusal e) {
      if (e.problem() == Problem.UNKNOWN_PERIOD && form.word().equals("dismiss-late")) {
        return null;
      }
      throw e;
    }
  }

  private static void addPreview(VerbForm form, Values values, boolean dryRun, Model model) {
    String digest = form.context() == null ? null : form.context().addTo(values, model);
    model.addAttribute(EXPECT, digest);
    boolean complete =
        form.fields().stream().noneMatch(f -> f.required() && values.find(f.name()) == null);
    boolean isOver = Boolean.TRUE.equals(model.getAttribute("isOver"));
    if (dryRun && complete && !isOver) {
      look(form, values, digest, model);
    }
  }

  /**
   * Adds what the verb would change.
   *
   * @param digest of what is shown; null if the verb names none
   */
  private static void look(VerbForm form, Values values, @Nullable String digest, Model model) {
    var typed = new LinkedHashMap<>(values.typed());
    if (values.find(REASON) == null) {
      typed.put(REASON, "dry run");
    }
    typed.remove(EXPECT);
    if (digest != null) {
      typed.put(EXPECT, digest);
    }
    Task dryRun = dryRun(form, typed);
    model.addAttribute("dryRun", dryRun.messages());
    if (form.isPreviewed() && dryRun.state() == Task.State.DONE) {
      model.addAttribute(SHOWN, form.shown(values));
    }
    model.addAttribute(SHOWN_TIES, values.find(TIES));
    ExpectedPayout pays = dryRun.pays();
    if (pays == null) {
      return;
    }
    boolean isClosing = CLOSINGS.contains(form.word()) && !pays.sums().isEmpty();
    boolean isDecided = values.find(TIES) != null && digest != null;
    if (isClosing) {
      model.addAttribute("stakeWord", form.word() + (pays.held() ? ".held" : ".pays"));
    }
    if (isClosing || isDecided) {
      model.addAttribute("stake", Stake.of(pays));
    }
  }

  private static Task dryRun(VerbForm form, Map<String, String> typed) {
    return form.call().call(new Values(typed), new Call(true, null, null));
  }
}
