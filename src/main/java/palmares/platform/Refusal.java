package palmares.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Choice;
import palmares.platform.text.Fault;
import palmares.platform.text.Next;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/**
 * Reports that what a caller asked for is not carried out. The message says what is wrong, where,
 * and what to do; the reason names the type of problem by which the API answers.
 */
public class Refusal extends RuntimeException implements Saying {
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
  private final transient Sentence said;
  private transient List<Fault> faults = List.of();
  private transient List<Next> next = List.of();

  public Refusal(Choice reason, Sentence said) {
    this(reason, said, null);
  }

  public Refusal(Choice reason, Sentence said, @Nullable Throwable cause) {
    super(null, cause);
    this.reason = reason;
    this.said = said;
  }

  /** Refuses the values of fields; the message is that of the first fault. */
  public Refusal(Choice reason, List<Fault> faults) {
    this(reason, faults.get(0).said());
    setFaults(faults);
  }

  /** As {@code RuntimeException}'s constructor; one without a stack trace costs little. */
  protected Refusal(
      Choice reason, Sentence said, boolean enableSuppression, boolean writableStackTrace) {
    super(null, null, enableSuppression, writableStackTrace);
    this.reason = reason;
    this.said = said;
  }

  /** The same with what can be done about it. */
  public Refusal then(Next... steps) {
    next = List.of(steps);
    return this;
  }

  /** Returns what an exception says; its message if that is no sentence of ours. */
  public static Sentence said(Throwable e) {
    return e instanceof Saying saying
        ? saying.said()
        : Sentence.verbatim(e.getMessage() == null ? e.toString() : e.getMessage());
  }

  protected final void setFaults(List<Fault> fields) {
    faults = List.copyOf(fields);
  }

  public Choice reason() {
    return reason;
  }

  @Override
  public final Sentence said() {
    return said;
  }

  /** Returns what is wrong with fields of the request; empty if it is about no field. */
  public final List<Fault> faults() {
    return faults;
  }

  /** Returns what can be done about it. */
  public final List<Next> next() {
    return next;
  }

  /** Returns the sentence in English, for logs. */
  @Override
  public final String getMessage() {
    return Texts.english(said);
  }

  /** Returns the message, which every refusal has. */
  public final String detail() {
    return getMessage();
  }
}
