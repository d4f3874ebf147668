package palmares.api.ops;

import java.time.Duration;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.roles.Caller;

@RestController
class TaskController implements TaskResource {
  private static final int MAX_WAIT_SECONDS = 30;

  private final Tasks tasks;

  TaskController(Tasks tasks) {
    this.tasks = tasks;
  }

  @Override
  public Task get(long id, int seen, int wait) {
    Lookup.within(0, MAX_WAIT_SECONDS, "wait", wait);
    Caller caller = Caller.get();
    if (!caller.boards().isEmpty() && !tasks.get(id).by().equals(caller.name())) {
      throw new ProblemException(
          Problem.FORBIDDEN, "%s may only follow its own tasks".formatted(caller.name()));
    }
    return tasks.await(id, seen, Duration.ofSeconds(wait));
  }
}
