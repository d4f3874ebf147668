package palmares.live.board;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The verdicts of a live board on an event. */
public enum Verdict {
  /** The event gave its points. */
  APPLIED,
  /** The event took back what the undone action gave. */
  UNDONE,
  /** The member already did this to the subject, or in the day or period: nothing changed. */
  REPEATED,
  /** There was nothing to undo in this period: nothing changed. */
  NOTHING_TO_UNDO,
  /** The value is no better than what the member holds: nothing changed. */
  UNCHANGED,
  /** The member has reached the action's limit for a day or a period: nothing changed. */
  CAPPED,
  /** PostgreSQL refused the journal entry, and a person discarded it: its number counts nothing. */
  DISCARDED,
  /** The event was decided before; the first verdict applies. */
  DUPLICATE,
  /** Another event with the same id was decided before: nothing changed. */
  CONFLICT,
  /** The member would exceed the board's largest number of points: nothing changed. */
  FULL,
  /** The member would exceed the largest amount of the second key: nothing changed. */
  FULL_THEN,
  /** The sum of all members' points would overflow: nothing changed. */
  FULL_SUM,
  /** The period has decided as many events as {@code max-events} allows: nothing changed. */
  EXHAUSTED,
  /** The event came after the grace or the seal: nothing changed. */
  LATE,
  /** The event happened outside of the period: nothing changed. */
  OUTSIDE,
  /** The live board does not exist: nothing changed. */
  MISSING,
  /** The event is committed, and is relayed to its live board later. No live board returns this. */
  ACCEPTED,
  /** The live board is being rebuilt: nothing changed. */
  REBUILDING,
  /** The journal is full until it is drained: nothing changed. */
  BACKLOG,
  /** An earlier event of the batch was deferred: nothing changed. The caller sends it again. */
  WAITING,
  /**
   * The live board may have trimmed the event's id: nothing changed. The caller searches PostgreSQL
   * and sends it again.
   */
  FORGOTTEN,
  /** A replayed event does not have the next number: nothing changed. */
  OUT_OF_STEP;

  private static final Map<String, Verdict> BY_WORD =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Verdict::word, v -> v));

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether the live board stores the event's id and journal entry, so that it is final. */
  public boolean isKept() {
    return switch (this) {
      case APPLIED, UNDONE, REPEATED, NOTHING_TO_UNDO, UNCHANGED, CAPPED -> true;
      case DISCARDED,
          DUPLICATE,
          CONFLICT,
          FULL,
          FULL_THEN,
          FULL_SUM,
          EXHAUSTED,
          LATE,
          OUTSIDE,
          MISSING,
          ACCEPTED,
          REBUILDING,
          BACKLOG,
          WAITING,
          FORGOTTEN,
          OUT_OF_STEP ->
          false;
    };
  }

  /** Whether the event may count if the board's events are decided in another order. */
  public boolean mayCount() {
    return switch (this) {
      case APPLIED, UNDONE, UNCHANGED -> true;
      case REPEATED,
          NOTHING_TO_UNDO,
          CAPPED,
          DISCARDED,
          DUPLICATE,
          CONFLICT,
          FULL,
          FULL_THEN,
          FULL_SUM,
          EXHAUSTED,
          LATE,
          OUTSIDE,
          MISSING,
          ACCEPTED,
          REBUILDING,
          BACKLOG,
          WAITING,
          FORGOTTEN,
          OUT_OF_STEP ->
          false;
    };
  }

  /** Whether the event is an undo. */
  boolean isOfUndo() {
    return this == UNDONE || this == NOTHING_TO_UNDO;
  }

  /** Returns the name in Redis and the journal. */
  public String word() {
    return word;
  }

  /**
   * @throws IllegalArgumentException if no verdict has that word
   */
  public static Verdict of(String word) {
    Verdict verdict = BY_WORD.get(word);
    if (verdict == null) {
      throw new IllegalArgumentException("unknown outcome '" + word + "'");
    }
    return verdict;
  }
}
