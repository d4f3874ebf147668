package palmares.live.board;

import java.util.List;
import java.util.Optional;

/**
 * What PostgreSQL knows of events whose ids a live board may have forgotten.
 *
 * @param position the number up to which it has the board's events, read before the search
 * @param decisions on each event asked for, in their order; empty where it has none of that id
 */
public record StoredDecisions(long position, List<Optional<Decision>> decisions) {
  public StoredDecisions {
    decisions = List.copyOf(decisions);
  }

  /** Searches the journals in PostgreSQL, which know every id for good. */
  public interface Journals {
    /** Searches for the changes' ids; all changes are of one board's period. */
    StoredDecisions search(List<BoardChange> changes);
  }
}
