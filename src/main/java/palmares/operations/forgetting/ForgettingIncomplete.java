package palmares.operations.forgetting;

/** Thrown if a person is forgotten in part only; the message says what is in the way. */
public final class ForgettingIncomplete extends RuntimeException {
  ForgettingIncomplete(String obstacle) {
    super(
        "some periods have the id and others the pseudonym: repeat the call with the same member to"
            + " complete it; blocked by:\n  "
            + obstacle);
  }
}
