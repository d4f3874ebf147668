package palmares.api.http;

/**
 * Ends the process when a request meets an {@code OutOfMemoryError}: a server that goes on without
 * memory answers nobody, and its supervisor can start it again. The JVM does the same in every
 * thread with {@code -XX:+ExitOnOutOfMemoryError}.
 */
final class OutOfMemory {
  /** As the JVM's own option ends it. */
  private static final int EXIT_CODE = 3;

  private OutOfMemory() {}

  static void exitIfCauseOf(Throwable failure) {
    if (isCauseOf(failure)) {
      System.err.println("out of memory: the server ends; give it a larger heap (-Xmx)");
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  static boolean isCauseOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
    }
    return false;
  }
}
