package palmares.rules.payout;

/** What becomes of what a member was paid and by an amendment should not have been. */
public enum OverpaymentPolicy implements Choice {
  /** It is taken from the member's account. */
  TAKE,
  /** The house bears it; the member keeps it. */
  WRITE_OFF,
  /** The member keeps it and owes it, on an account of its own. */
  DEBT
}
