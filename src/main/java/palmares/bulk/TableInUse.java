package palmares.bulk;

/** A period's own table was not dropped, since others read it; the transaction must roll back. */
public final class TableInUse extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TableInUse(String table, Throwable cause) {
    super(
        "%s is being read by a long transaction and was not dropped; try again once that has ended"
            .formatted(table),
        cause);
  }
}
