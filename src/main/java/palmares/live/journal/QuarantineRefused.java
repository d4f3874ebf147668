package palmares.live.journal;

/** A quarantined entry that was neither released nor discarded, and why; nothing was changed. */
public final class QuarantineRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  QuarantineRefused(String message) {
    super(message);
  }
}
