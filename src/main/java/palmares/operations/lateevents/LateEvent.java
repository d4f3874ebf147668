package palmares.operations.lateevents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/**
 * An event that arrived after grace or after the seal, and what a person decided on it.
 *
 * @param period the name of the period in which it would have counted
 * @param id unique in that period
 * @param undo whether it undoes the action on the subject
 * @param value null if it has none
 * @param thenBy the second key; null if it has none
 * @param decision null if nobody has decided on it
 */
public record LateEvent(
    String board,
    String period,
    String id,
    String member,
    String action,
    @Nullable String subject,
    boolean undo,
    long quantity,
    @Nullable Long value,
    @Nullable Long thenBy,
    Instant occurredAt,
    Instant arrivedAt,
    @Nullable Decision decision) {
  public record Decision(Verdict verdict, String by, Instant at, String reason) {}

  /** Says what a person decided on a late event. */
  public enum Verdict implements Choice {
    /** It counts from the next amendment on. */
    ACCEPTED,
    /** It counts nowhere. */
    DISMISSED
  }

  boolean isAccepted() {
    return decision != null && decision.verdict() == Verdict.ACCEPTED;
  }

  /** What the member did. */
  public Sentence done() {
    return ActionSentences.of(undo, action, quantity, subject);
  }
}
