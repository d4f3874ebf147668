package palmares.audit;

/** What is stored is not what was derived: nothing may go on from it before a person looked. */
public final class NotVerified extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotVerified(String message) {
    super(message);
  }
}
