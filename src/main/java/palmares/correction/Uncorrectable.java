package palmares.correction;

/** What was asked for cannot be: says what, of whom, and what to do. Nothing was changed. */
public final class Uncorrectable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Uncorrectable(String message) {
    super(message);
  }
}
