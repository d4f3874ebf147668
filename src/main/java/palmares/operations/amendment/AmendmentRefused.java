package palmares.operations.amendment;

/** Thrown if a period cannot be amended, or not as requested. Nothing was changed. */
public final class AmendmentRefused extends RuntimeException {
  AmendmentRefused(String message) {
    super(message);
  }
}
