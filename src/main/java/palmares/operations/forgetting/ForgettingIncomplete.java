package palmares.operations.forgetting;

import palmares.platform.Refusal;

/** Reports that a person is forgotten in part only; the message says what is in the way. */
public final class ForgettingIncomplete extends Refusal {
  ForgettingIncomplete(String obstacle) {
    super(
        Reason.FORGETTING_INCOMPLETE,
        "some periods have the id and others the pseudonym: repeat the call with the same member to"
            + " complete it; blocked by:\n  "
            + obstacle);
  }
}
