package palmares.rules.adoption;

/** Thrown for a score that the encoding cannot have produced: it is misconfigured, or corrupt. */
public final class UndecodableScore extends RuntimeException {
  UndecodableScore(String message) {
    super(message, null, false, false);
  }
}
