package palmares.live.intake;

import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/** Reports that an event, or a whole request, cannot be taken. */
public final class EventRefusal extends Refusal {
  private final RefusalReason reason;

  public EventRefusal(RefusalReason reason, Sentence said) {
    super(reason, said, false, false);
    this.reason = reason;
  }

  @Override
  public RefusalReason reason() {
    return reason;
  }
}
