package palmares.operations.lateevents;

/** Thrown if a late event or a correction cannot be accepted. Nothing was changed. */
public final class LateEventRefused extends RuntimeException {
  LateEventRefused(String message) {
    super(message);
  }
}
