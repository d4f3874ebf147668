package palmares.operations.rebuild;

/** Thrown if a live board cannot be rebuilt, or should not be. Nothing was changed. */
public final class RebuildRefused extends RuntimeException {
  RebuildRefused(String message) {
    super(message);
  }
}
