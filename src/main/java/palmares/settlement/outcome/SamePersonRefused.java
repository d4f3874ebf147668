package palmares.settlement.outcome;

/** Signals that two people must approve an outcome, and this person may not be one of them. */
public final class SamePersonRefused extends RuntimeException {
  /**
   * @param what says what the person did, as a sentence
   */
  public SamePersonRefused(String what) {
    super(
        what
            + ", and its board asks for two people who did not shape the outcome: another person"
            + " must approve it");
  }
}
