package palmares.settlement.outcome;

/** Signals that users of a shell may not approve here. */
public final class LocalApprovalRefused extends RuntimeException {
  LocalApprovalRefused(String by) {
    super(
        by
            + " may not approve: palmares.security.local-approvals=false leaves approvals to those"
            + " who sign in");
  }
}
