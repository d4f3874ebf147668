package palmares.journal;

/** A quarantined entry that was neither released nor discarded, and why; nothing was changed. */
public final class NotResolved extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotResolved(String message) {
    super(message);
  }
}
