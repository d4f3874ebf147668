package palmares.operations.rebuild;

/** A live board that is not made anew, and why; nothing was changed. */
public final class RebuildRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RebuildRefused(String message) {
    super(message);
  }
}
