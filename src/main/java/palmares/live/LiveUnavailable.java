package palmares.live;

/** Redis does not answer, or refuses: nothing is known of what was asked for. Try again later. */
public final class LiveUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LiveUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
