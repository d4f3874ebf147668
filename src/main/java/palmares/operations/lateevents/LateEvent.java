package palmares.operations.lateevents;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event that came after the seal or the grace, as it was told, and what a person made of it.
 *
 * @param period the name of the period that it would have counted in
 * @param id unique in that period
 * @param undo whether it takes the action on the subject back
 * @param value null if it states none
 * @param thenBy null if it states none
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

  /** Who decided what, when, and why. */
  public record Decision(Verdict verdict, String by, Instant at, String reason) {}

  /** What a person made of a late event. */
  public enum Verdict {
    /** It counts from the next amendment on. */
    ACCEPTED,
    /** It counts nowhere. */
    DISMISSED;

    /** As the database and people spell it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Verdict of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  boolean accepted() {
    return decision != null && decision.verdict() == Verdict.ACCEPTED;
  }

  /** As a person would tell it: {@code undo of like on post-1}. */
  public String deed() {
    return (undo ? "undo of " : "")
        + action
        + (quantity == 1 ? "" : " times " + quantity)
        + (subject == null ? "" : " on " + subject);
  }
}
