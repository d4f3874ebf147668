package palmares.operations.batches;

/** Thrown if a batch cannot begin as requested. Nothing was changed. */
public final class BatchRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BatchRefused(String message) {
    super(message);
  }
}
