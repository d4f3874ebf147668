package palmares.settlement.verification;

/** What is stored is not what was derived: nothing may go on from it before a person looked. */
public final class VerificationFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  VerificationFailed(String message) {
    super(message);
  }
}
