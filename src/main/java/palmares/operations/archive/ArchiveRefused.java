package palmares.operations.archive;

/** Thrown if a period cannot be archived, or an archive has changed. Nothing was changed. */
public final class ArchiveRefused extends RuntimeException {
  ArchiveRefused(String message) {
    super(message);
  }

  ArchiveRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
