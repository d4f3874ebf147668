package palmares.ledger;

/** The ledger holds something else under a key that is to be paid: nothing was posted. */
public final class LedgerMismatch extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LedgerMismatch(String message) {
    super(message);
  }
}
