package palmares.live.intake;

/** An event that cannot be taken, and why: what, where, what to do. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RefusalReason reason;

  public Refusal(RefusalReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public RefusalReason reason() {
    return reason;
  }

  /** What is wrong and what to do, in a sentence. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
