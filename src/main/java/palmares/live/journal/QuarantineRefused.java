package palmares.live.journal;

/** Thrown when a quarantined entry cannot be released or discarded; nothing was changed. */
public final class QuarantineRefused extends RuntimeException {
  QuarantineRefused(String message) {
    super(message);
  }
}
