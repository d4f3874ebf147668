package palmares.live.relay;

/** A delivery, and what PostgreSQL made of it. */
public record Commit(RelayedEvent delivery, Result result) {

  /** What became of it there. */
  public enum Result {
    /** It is written, and counts once it is relayed. */
    WRITTEN,
    /** It had been written before. */
    REPEATED,
    /** Another event with its id had been written before: nothing is written. */
    CONFLICTING,
    /** Its period takes no more events: nothing is written. */
    LATE;

    /** Whether the event is there. */
    boolean isKept() {
      return switch (this) {
        case WRITTEN, REPEATED -> true;
        case CONFLICTING, LATE -> false;
      };
    }
  }
}
