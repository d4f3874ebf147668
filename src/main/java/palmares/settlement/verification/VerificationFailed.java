package palmares.settlement.verification;

/** Thrown if stored rows differ from derived ones. A person must look into it before going on. */
public final class VerificationFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  VerificationFailed(String message) {
    super(message);
  }
}
