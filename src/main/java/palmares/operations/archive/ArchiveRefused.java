package palmares.operations.archive;

/** A period cannot be archived, or an archive is not what was written: nothing was changed. */
public final class ArchiveRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ArchiveRefused(String message) {
    super(message);
  }

  ArchiveRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
