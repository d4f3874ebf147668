package palmares.live.board;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import palmares.platform.text.Choice;

/** The verdicts of a live board on an event. */
public enum Verdict implements Choice {
  /** The event gave its points. */
  APPLIED(Effect.KEPT),
  /** The event took back what the undone action gave. */
  UNDONE(Effect.KEPT),
  /** The member already did this to the subject, or in the day or period: nothing changed. */
  REPEATED(Effect.KEPT),
  /** There was nothing to undo in this period: nothing changed. */
  NOTHING_TO_UNDO(Effect.KEPT),
  /** The value is no better than what the member holds: nothing changed. */
  UNCHANGED(Effect.KEPT),
  /** The member has reached the action's limit for a day or a period: nothing changed. */
  CAPPED(Effect.KEPT),
  /** PostgreSQL refused the journal entry, and a person discarded it: its number counts nothing. */
  DISCARDED(Effect.NOT_KEPT),
  /** The event was decided before; the first verdict applies. */
  DUPLICATE(Effect.NOT_KEPT),
  /** Another event with the same id was decided before: nothing changed. */
  CONFLICT(Effect.REFUSED),
  /** The member would exceed the board's largest number of points: nothing changed. */
  FULL(Effect.REFUSED),
  /** The member would exceed the largest amount of the second key: nothing changed. */
  FULL_THEN(Effect.REFUSED),
  /** The sum of all members' points would overflow: nothing changed. */
  FULL_SUM(Effect.REFUSED),
  /** The period has decided as many events as {@code max-events} allows: nothing changed. */
  EXHAUSTED(Effect.REFUSED),
  /** The event came after the grace or the seal: nothing changed. */
  LATE(Effect.NOT_KEPT),
  /** The event happened outside of the period: nothing changed. */
  OUTSIDE(Effect.DEFERRED),
  /** The live board does not exist: nothing changed. */
  MISSING(Effect.DEFERRED),
  /** The event is committed, and is relayed to its live board later. No live board returns this. */
  ACCEPTED(Effect.NOT_KEPT),
  /** The live board is being rebuilt: nothing changed. */
  REBUILDING(Effect.NOT_KEPT),
  /** The live board is torn: nothing changed. */
  TORN(Effect.NOT_KEPT),
  /** The journal lacks events: nothing changed. */
  GAP(Effect.NOT_KEPT),
  /** The journal is full until it is drained: nothing changed. */
  BACKLOG(Effect.NOT_KEPT),
  /** An earlier event of the batch was deferred: nothing changed. The caller sends it again. */
  WAITING(Effect.DEFERRED),
  /**
   * The live board may have trimmed the event's id: nothing changed. The caller searches PostgreSQL
   * and sends it again.
   */
  FORGOTTEN(Effect.NOT_KEPT),
  /** A replayed event does not have the next number: nothing changed. */
  OUT_OF_STEP(Effect.NOT_KEPT);

  private static final Map<String, Verdict> BY_WORD =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Verdict::word, v -> v));

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  private final Effect effect;

  Verdict(Effect effect) {
    this.effect = effect;
  }

  /** Says what a verdict does with the event. */
  private enum Effect {
    /** Stored, and the event counts nothing in any order. */
    KEPT,
    /** Not stored, and final: the event would be refused again. */
    REFUSED,
    /** Not stored: no period of the board has decided on the event. */
    DEFERRED,
    /** Not stored: the event may be decided again. */
    NOT_KEPT
  }

  /** Whether the live board stores the event's id and journal entry, so that it is final. */
  public boolean isKept() {
    return effect == Effect.KEPT;
  }

  public boolean isOfUndo() {
    return this == UNDONE || this == NOTHING_TO_UNDO;
  }

  /** Whether the decision is final although the journal does not store the event. */
  public boolean isFinalOutsideJournal() {
    return effect == Effect.REFUSED;
  }

  /** Whether no period has decided on the event, so that another one may have to. */
  public boolean isDeferred() {
    return effect == Effect.DEFERRED;
  }

  @Override
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
