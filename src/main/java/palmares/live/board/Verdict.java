package palmares.live.board;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What became of an event on one live board. Those that are kept are final. */
public enum Verdict {
  /** It gave its points. */
  APPLIED,
  /** It took back what the undone action gave. */
  UNDONE,
  /** The member did this to the subject already: nothing changed. */
  REPEATED,
  /** There was nothing to undo in this period: nothing changed. */
  NOTHING_TO_UNDO,
  /** Its value did not better what the member holds: nothing changed. */
  UNCHANGED,
  /** The member did this as often as counts in a day or a period: nothing changed. */
  CAPPED,
  /** PostgreSQL refused it, and a person gave it up: its number changes nothing. */
  DISCARDED,
  /** This event was decided before; the first verdict stands. */
  DUPLICATE,
  /** Another event with this id was decided before: nothing changed. */
  CONFLICT,
  /** It would pass the board's most points: nothing changed. */
  FULL,
  /** It would pass the most of the board's second key: nothing changed. */
  FULL_THEN,
  /** The points of all members together would pass what can be counted: nothing changed. */
  FULL_SUM,
  /** The period has decided as many events as it can put in order: nothing changed. */
  EXHAUSTED,
  /** It came after the seal or the grace: nothing changed. */
  LATE,
  /** It happened outside of the period: nothing changed. */
  OUTSIDE,
  /** There is no such live board: nothing changed. */
  MISSING,
  /** It is committed, and is relayed to its live board later; no live board itself says so. */
  ACCEPTED,
  /** The live board is being made anew: nothing changed. */
  REBUILDING,
  /** Its journal holds as many entries as it may until PostgreSQL has some: nothing changed. */
  BACKLOG,
  /** An event before it in its batch was put off: nothing changed. To be asked for again. */
  WAITING,
  /**
   * Its id may be one that the live board has forgotten: nothing changed. To be asked for again
   * once PostgreSQL was searched.
   */
  FORGOTTEN,
  /** A replayed event is not the next one: nothing changed. */
  OUT_OF_STEP;

  private static final Map<String, Verdict> BY_WORD =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Verdict::word, v -> v));

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether the live board keeps it, in its journal too. */
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

  /** Whether it counts when the board's events are decided again in another order. */
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

  /** Whether what was decided so took something back, or was meant to. */
  boolean isOfUndo() {
    return this == UNDONE || this == NOTHING_TO_UNDO;
  }

  /** The name as Redis, the journal and the API spell it. */
  public String word() {
    return word;
  }

  /**
   * @throws IllegalArgumentException if no verdict is spelled so
   */
  public static Verdict of(String word) {
    Verdict verdict = BY_WORD.get(word);
    if (verdict == null) {
      throw new IllegalArgumentException("there is no outcome '" + word + "'");
    }
    return verdict;
  }
}
