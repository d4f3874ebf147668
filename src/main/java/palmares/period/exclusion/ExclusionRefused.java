package palmares.period.exclusion;

/** Reports that an exclusion exists already or cannot be lifted; nothing was changed. */
public final class ExclusionRefused extends RuntimeException {
  public ExclusionRefused(String message) {
    super(message);
  }
}
