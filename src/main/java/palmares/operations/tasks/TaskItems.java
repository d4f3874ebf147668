package palmares.operations.tasks;

/** The items of a task that is about to begin. */
public interface TaskItems {
  /** Says what the task would do, and what it would change. */
  Result dryRun();

  /** Stores them, in the transaction of the caller; from its end on, any scheduler may run it. */
  void store(long task);
}
