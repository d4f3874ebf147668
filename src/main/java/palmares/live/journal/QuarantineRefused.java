package palmares.live.journal;

/** Thrown when a quarantined entry cannot be released or discarded; nothing was changed. */
public final class QuarantineRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  QuarantineRefused(String message) {
    super(message);
  }
}
