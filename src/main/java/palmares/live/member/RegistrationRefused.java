package palmares.live.member;

/** A registration that changed nothing, and why. */
public final class RegistrationRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Why why;

  RegistrationRefused(Why why, String detail) {
    super(detail, null, false, false);
    this.why = why;
  }

  /** Why a registration is refused. */
  public enum Why {
    /** Somebody registered with this external id before, and told something else. */
    ALREADY_REGISTERED,
    /** Another member has the id that was asked for. */
    MEMBER_TAKEN,
    /** Nobody has the invite code. */
    UNKNOWN_CODE,
    /** The invite code is the registering member's own. */
    SELF_INVITE
  }

  public Why why() {
    return why;
  }
}
