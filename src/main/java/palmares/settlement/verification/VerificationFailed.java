package palmares.settlement.verification;

/** Thrown if stored rows differ from derived ones. A person must look into it before going on. */
public final class VerificationFailed extends RuntimeException {
  VerificationFailed(String message) {
    super(message);
  }
}
