package palmares.live.intake;

/** Thrown when an event cannot be taken. Its message says what is wrong, where, and what to do. */
public final class Refusal extends RuntimeException {
  private final RefusalReason reason;

  public Refusal(RefusalReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public RefusalReason reason() {
    return reason;
  }

  /** Returns the message. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
