package palmares.operations.batches;

/** Thrown if an act over many periods cannot begin as requested. Nothing was changed. */
public final class BatchRefused extends RuntimeException {
  BatchRefused(String message) {
    super(message);
  }
}
