package palmares.live.intake;

import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/** Reports that an event, or a whole request, cannot be taken. */
public final class EventRefusal extends Refusal {
  private final RefusalReason reason;

  public EventRefusal(RefusalReason reason, Sentence said) {
    super(Problem.of(reason), said);
    this.reason = reason;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this; // Thousands a second are thrown.
  }

  public RefusalReason reason() {
    return reason;
  }
}
