package palmares.api.http;

/**
 * Ends the process after an {@code OutOfMemoryError} in a request, so that a supervisor can restart
 * it. The JVM does the same for every thread with {@code -XX:+ExitOnOutOfMemoryError}.
 */
final class OutOfMemory {
  /** The exit code that the JVM uses for that option. */
  private static final int EXIT_CODE = 3;

  private OutOfMemory() {}

  static void exitIfCauseOf(Throwable failure) {
    if (isCauseOf(failure)) {
      System.err.println("out of memory: the server exits; give it a larger heap (-Xmx)");
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
