package palmares.rules.payout;

import palmares.platform.text.Choice;

/** Says what happens to a payment that an amendment takes away from a member. */
public enum OverpaymentPolicy implements Choice {
  /** It is taken from the member's account. */
  TAKE,
  /** The member keeps it, at the expense of the house. */
  WRITE_OFF,
  /** The member keeps it and owes it, on a separate account. */
  DEBT;

  /** Whether the member's account loses it. */
  public boolean isTakenFromAccount() {
    return switch (this) {
      case TAKE -> true;
      case WRITE_OFF, DEBT -> false;
    };
  }
}
