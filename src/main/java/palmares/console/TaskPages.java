package palmares.console;

import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import palmares.api.ops.Task;
import palmares.api.security.Requires;
import palmares.api.security.Role;

/** Shows a called verb while it runs, and what it has done. */
@Console
class TaskPages {
  private final Api api;

  TaskPages(Api api) {
    this.api = api;
  }

  @Requires(value = Role.VIEWER, checksBoards = true)
  @GetMapping(Console.PATH + "/tasks/{id}")
  String page(@PathVariable long id, Model model) {
    add(id, model);
    return "task";
  }

  /** The part of the page that changes. */
  @Requires(value = Role.VIEWER, checksBoards = true)
  @GetMapping(Console.PATH + "/tasks/{id}/progress")
  String progress(@PathVariable long id, Model model) {
    add(id, model);
    return "task :: progress";
  }

  private void add(long id, Model model) {
    Task task = api.tasks().get(id, 0, 0);
    model.addAttribute("task", task);
    boolean isClosing = task.board() != null && task.period() != null;
    if (isClosing) {
      model.addAttribute(
          "steps", Rows.of(api.installation().steps(task.board(), task.period(), 1)));
    }
  }
}
