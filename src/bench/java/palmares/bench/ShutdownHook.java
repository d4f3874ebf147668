package palmares.bench;

/** Does something if the process is ended by a signal, for which nothing else is closed. */
public final class ShutdownHook implements AutoCloseable {
  private final Thread thread;

  public ShutdownHook(Runnable action) {
    this.thread = new Thread(action, "shutdown");
    Runtime.getRuntime().addShutdownHook(thread);
  }

  /** Ends it without its action. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException begun) {
      // The process is ending, and does the action.
    }
  }
}
