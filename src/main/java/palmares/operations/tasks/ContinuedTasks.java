package palmares.operations.tasks;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.platform.Problem;

/**
 * Finds what became of tasks with items, and of those that lost their process or connection, by
 * what is stored.
 */
@Component
public class ContinuedTasks {
  private final Map<String, Continuation> byVerb = new ConcurrentHashMap<>();

  /** Says what other work has made of a task. */
  @FunctionalInterface
  public interface Continuation {
    /**
     * @return empty if nothing else has done what was asked for
     */
    Optional<Continued> of(Task task);
  }

  /**
   * What other work has made of a task.
   *
   * @param result running if it goes on
   * @param endedAt null while it goes on
   */
  public record Continued(Result result, @Nullable Instant endedAt) {}

  public void add(String verb, Continuation continuation) {
    byVerb.put(verb, continuation);
  }

  /** As {@link #latest(Task)}, of tasks by their numbers. */
  Map<Long, Task> latest(Map<Long, Task> tasks) {
    return tasks.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> latest(entry.getValue())));
  }

  /** Returns the task as it is stored, or as other work has left it since. */
  Task latest(Task task) {
    Continuation continuation = byVerb.get(task.verb());
    return continuation == null || !mayBeContinued(task)
        ? task
        : continuation.of(task).map(task::continued).orElse(task);
  }

  /** Whether it has items, lost its process or was ended by an outage: others may have gone on. */
  private static boolean mayBeContinued(Task task) {
    String problem = task.problem();
    return task.items() != null
        || task.state() == Task.State.ABANDONED
        || task.state() == Task.State.FAILED && problem != null && Problem.isOfServer(problem);
  }
}
