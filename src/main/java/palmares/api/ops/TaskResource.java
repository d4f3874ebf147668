package palmares.api.ops;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Task;

/** The verbs that were called. */
@HttpExchange(TaskResource.PATH)
public interface TaskResource {
  /** The path of the resource. */
  String PATH = "/api/v1/ops/tasks";

  /**
   * Returns a task; waits while it runs.
   *
   * @param seen returns as soon as the task has more lines of progress than these
   * @param wait the seconds to wait at most, 0 to 30
   */
  @Operation("opsGetTask")
  @Requires(value = Role.VIEWER, checksBoards = true)
  @GetExchange("/{id}")
  Task get(
      @PathVariable long id,
      @RequestParam(defaultValue = "0") int seen,
      @RequestParam(defaultValue = "0") int wait);
}
