package palmares.live.member;

/** Reports that a registration was refused; nothing was changed. */
public final class RegistrationRefused extends RuntimeException {
  private final Reason reason;

  RegistrationRefused(Reason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  /** Why a registration was refused. */
  public enum Reason {
    /** The external id is registered already with other details. */
    ALREADY_REGISTERED,
    /** Another member has the wanted member id. */
    MEMBER_TAKEN,
    /** No member has the invite code. */
    UNKNOWN_CODE,
    /** The invite code is the registering member's own. */
    SELF_INVITE
  }

  public Reason reason() {
    return reason;
  }
}
