package palmares.payout;

import java.util.Locale;

/** What becomes of what a member was paid and by an amendment should not have been. */
public enum Owed {
  /** It is taken from the member's account. */
  TAKE,
  /** The house bears it; the member keeps it. */
  WRITE_OFF,
  /** The member keeps it and owes it, on an account of its own. */
  DEBT;

  /** As files and the database spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
