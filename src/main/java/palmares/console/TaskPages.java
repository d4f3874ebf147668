package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batches;
import palmares.operations.tasks.Task;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;

/** Shows called verbs: all of them, and one while it runs with what it has done. */
@Console
class TaskPages {
  private static final int ROWS = 200;

  private final Api api;
  private final VerbForms verbs;
  private final PendingCards pending;
  private final ApprovalSums sums;
  private final Periods periods;
  private final Catalogue boards;
  private final PageModel pages;
  private final Batches batches;

  TaskPages(
      Api api,
      VerbForms verbs,
      PendingCards pending,
      ApprovalSums sums,
      Periods periods,
      Catalogue boards,
      PageModel pages,
      Batches batches) {
    this.api = api;
    this.verbs = verbs;
    this.pending = pending;
    this.sums = sums;
    this.periods = periods;
    this.boards = boards;
    this.pages = pages;
    this.batches = batches;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/tasks")
  String list(
      @RequestParam(name = "batches", defaultValue = "false") boolean onlyBatches,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    model.addAttribute("onlyBatches", onlyBatches);
    model.addAttribute(
        "rows", Rows.of(api.batches().tasks(onlyBatches, new PageRequest(ROWS, after))));
    return "tasks";
  }

  @Requires(value = Role.VIEWER, checksBoards = true)
  @GetMapping(Console.PATH + "/tasks/{id}")
  String page(
      @PathVariable long id, @RequestParam(required = false) @Nullable String after, Model model) {
    add(id, after, model);
    return "task";
  }

  /** The part of the page that changes. */
  @Requires(value = Role.VIEWER, checksBoards = true)
  @GetMapping(Console.PATH + "/tasks/{id}/progress")
  String progress(@PathVariable long id, Model model) {
    add(id, null, model);
    model.addAttribute("isPart", true);
    return "task :: progress";
  }

  private void add(long id, @Nullable String after, Model model) {
    Task task = api.tasks().get(id, 0, 0);
    model.addAttribute("task", task);
    Optional.ofNullable(task.board())
        .flatMap(BoardId::parse)
        .flatMap(boards::find)
        .ifPresent(board -> pages.useNamedZone(board.zone(), model));
    model.addAttribute("messages", task.messages());
    if (task.isOver()) {
      String moved = Show.of(model).moved(sums.moved(task));
      model.addAttribute("moved", moved.isEmpty() ? null : moved);
    }
    List<Next> next = new ArrayList<>(Next.of(task.next(), verbs));
    Period period = period(task);
    model.addAttribute("hasPeriod", period != null);
    if (period != null) {
      if (next.stream().anyMatch(verb -> verb.word().equals("approve"))) {
        pending
            .refusal(period.board(), period.name())
            .ifPresent(
                why -> {
                  next.removeIf(verb -> verb.word().equals("approve"));
                  model.addAttribute("refusal", why);
                });
      }
      model.addAttribute(
          "steps",
          Rows.of(api.installation().steps(period.board().value(), period.name().value(), 1)));
    }
    if (task.items() != null) {
      addItems(batches.get(id), after, next, model);
    }
    model.addAttribute("next", next);
  }

  private void addItems(Batch batch, @Nullable String after, List<Next> next, Model model) {
    model.addAttribute("batch", batch);
    boolean mayRun = Caller.get().has(Role.of(batch.verb().role()));
    model.addAttribute("mayRun", mayRun);
    if (!mayRun || !batches.mayResume(batch, Caller.get().name())) {
      next.removeIf(verb -> verb.word().equals("resume-batch"));
    }
    if (batch.of() == null) {
      batches
          .undecidedPage(batch.id())
          .ifPresent(
              undecided -> {
                model.addAttribute("undecided", undecided);
                model.addAttribute("stake", Stake.of(undecided));
                model.addAttribute("largest", batches.largest(undecided));
              });
    }
    model.addAttribute(
        "rows", Rows.of(api.batches().items(batch.id(), null, new PageRequest(ROWS, after))));
  }

  /** The period of a task; null if it has none, or one that was never opened. */
  private @Nullable Period period(Task task) {
    String board = task.board();
    String name = task.period();
    return board == null || name == null
        ? null
        : periods.find(new BoardId(board), new PeriodName(name)).orElse(null);
  }

  /**
   * A verb that usually follows.
   *
   * @param part what it is called for, if it must be called several times; else empty
   */
  record Next(String word, String path, String part) {
    /** The steps that a page has a form for. */
    static List<Next> of(List<palmares.platform.text.Next> steps, VerbForms verbs) {
      boolean areSeveral =
          steps.stream().map(step -> step.verb()).distinct().count() < steps.size();
      return steps.stream()
          .filter(step -> verbs.mayCall(step.verb()))
          .map(step -> new Next(step.verb(), form(step), areSeveral ? part(step) : ""))
          .toList();
    }

    private static String form(palmares.platform.text.Next step) {
      var form = UriComponentsBuilder.fromPath(TaskPages.path(step.verb(), ""));
      step.fields()
          .forEach(
              (field, value) -> {
                if (!(value instanceof Collection)) {
                  form.queryParam(field, UriUtils.encode(value.toString(), UTF_8));
                }
              });
      return form.build(true).toUriString();
    }

    /** Distinguishes several batches for exclusions by their numbers. */
    private static String part(palmares.platform.text.Next step) {
      return String.valueOf(step.fields().getOrDefault("exclusions", ""));
    }
  }

  private static String path(String word, String query) {
    return Console.PATH + "/verbs/" + word + query;
  }
}
