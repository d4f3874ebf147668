package palmares.operations.forgetting;

/** Thrown if a person cannot be forgotten now; the message says what to do first. */
public final class ForgettingRefused extends RuntimeException {
  ForgettingRefused(String message) {
    super(message);
  }
}
