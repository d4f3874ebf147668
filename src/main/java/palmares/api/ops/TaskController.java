package palmares.api.ops;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import palmares.api.http.Operation;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.CallerName;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.TaskSentences;
import palmares.operations.tasks.Tasks;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Answers for tasks: requests wait without a thread, calls in this process with their own. */
@Component
class TaskController implements TaskResource {
  private static final int MAX_WAIT_SECONDS = 30;

  /** The server ends a request that waits for longer than it may. */
  private static final Duration MAX_DELAY = Duration.ofSeconds(10);

  private final Tasks tasks;

  TaskController(Tasks tasks) {
    this.tasks = tasks;
  }

  /** The engine knows nobody but by name. */
  @Bean
  static CallerName callerName() {
    return () -> Caller.get().name();
  }

  @Override
  public Task get(long id, int seen, int wait) {
    try {
      return await(id, seen, wait).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private CompletableFuture<Task> await(long id, int seen, int wait) {
    Lookup.within(0, MAX_WAIT_SECONDS, "wait", wait);
    Caller caller = Caller.get();
    if (!caller.boards().isEmpty() && !tasks.get(id).by().equals(caller.name())) {
      throw new Refusal(Problem.FORBIDDEN, new TaskSentences.NotOwn(caller.name()));
    }
    return tasks.await(id, seen, caller.name(), Duration.ofSeconds(wait));
  }

  /** The resource over HTTP. */
  @RestController
  static final class Endpoint {
    private final TaskController tasks;

    Endpoint(TaskController tasks) {
      this.tasks = tasks;
    }

    @Operation("opsGetTask")
    @Requires(value = Role.VIEWER, checksBoards = true)
    @GetMapping(TaskResource.PATH + "/{id}")
    DeferredResult<Task> get(
        @PathVariable long id,
        @RequestParam(defaultValue = "0") int seen,
        @RequestParam(defaultValue = "0") int wait) {
      CompletableFuture<Task> answer = tasks.await(id, seen, wait);
      var result = new DeferredResult<Task>(Duration.ofSeconds(wait).plus(MAX_DELAY).toMillis());
      result.onCompletion(() -> answer.cancel(false));
      answer.whenComplete(
          (task, failure) -> {
            if (failure == null) {
              result.setResult(task);
            } else {
              result.setErrorResult(failure);
            }
          });
      return result;
    }
  }
}
