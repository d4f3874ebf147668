package palmares.platform;

import org.jspecify.annotations.Nullable;
import palmares.platform.form.Choice;

/**
 * Reports that what a caller asked for is not carried out. The message says what is wrong, where,
 * and what to do; the reason names the type of problem by which the API answers.
 */
public class Refusal extends RuntimeException {
  /** Why something is refused. Each is a problem of the API of the same name. */
  public enum Reason implements Choice {
    /** The state of the object does not allow it. */
    WRONG_STATE,
    /** There is no such object. */
    UNKNOWN_OBJECT,
    /** There is no such member. */
    UNKNOWN_MEMBER,
    /** A value that the caller gave is not allowed. */
    INVALID_FIELD,
    /** Another process works on the period. */
    PERIOD_BUSY,
    /** Stored rows differ from derived ones. */
    NOT_VERIFIED,
    /** Another person must do this, or one who has signed in. */
    SAME_PERSON,
    /** Events of the period are missing, quarantined or decided differently. */
    EVENTS_MISSING,
    /** A person or a key with this name exists, or does not. */
    ACCOUNT_REFUSED,
    /** The external id is registered already with other details. */
    ALREADY_REGISTERED,
    /** Another member has the wanted member id. */
    MEMBER_TAKEN,
    /** No member has the invite code. */
    UNKNOWN_CODE,
    /** The invite code is the registering member's own. */
    SELF_INVITE,
    /** Too many events are queued for a commit. */
    BUSY,
    /** Redis has lost the live board. */
    LIVE_BOARD_GONE,
    /** The live board is being rebuilt from its journal. */
    REBUILDING,
    /** Redis has lost a part of the live board. */
    TORN,
    /** The journal lacks events that the live board has counted. */
    JOURNAL_GAP,
    /** The journal is full until it is drained into PostgreSQL. */
    BACKLOG,
    /** PostgreSQL lacks what Redis has dropped. */
    DATABASE_UNAVAILABLE
  }

  private final transient Choice reason;

  public Refusal(Choice reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Refusal(Choice reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** As {@code RuntimeException}'s constructor; one without a stack trace costs little. */
  protected Refusal(
      Choice reason, String message, boolean enableSuppression, boolean writableStackTrace) {
    super(message, null, enableSuppression, writableStackTrace);
    this.reason = reason;
  }

  public Choice reason() {
    return reason;
  }

  /** Returns the message, which every refusal has. */
  public final String detail() {
    return String.valueOf(getMessage());
  }
}
