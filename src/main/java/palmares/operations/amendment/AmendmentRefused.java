package palmares.operations.amendment;

/** Thrown if a period cannot be amended, or not as requested. Nothing was changed. */
public final class AmendmentRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AmendmentRefused(String message) {
    super(message);
  }
}
