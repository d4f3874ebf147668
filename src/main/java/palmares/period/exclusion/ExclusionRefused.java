package palmares.period.exclusion;

/** Reports that an exclusion exists already or cannot be lifted; nothing was changed. */
public final class ExclusionRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ExclusionRefused(String message) {
    super(message);
  }
}
