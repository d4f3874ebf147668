package palmares.operations.amendment;

/** Something cannot be amended, or not like this: nothing was changed. */
public final class AmendmentRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AmendmentRefused(String message) {
    super(message);
  }
}
