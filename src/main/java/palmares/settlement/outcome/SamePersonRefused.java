package palmares.settlement.outcome;

/** Two people who did not shape an outcome must stand behind it, and this person may not be one. */
public final class SamePersonRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says why.
   *
   * @param what the person did, as a sentence
   */
  public SamePersonRefused(String what) {
    super(
        what
            + ", and its board asks for two people who did not shape the outcome: somebody else"
            + " must approve");
  }
}
