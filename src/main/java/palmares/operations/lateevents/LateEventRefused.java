package palmares.operations.lateevents;

/** What was asked for cannot be: says what, of whom, and what to do. Nothing was changed. */
public final class LateEventRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LateEventRefused(String message) {
    super(message);
  }
}
