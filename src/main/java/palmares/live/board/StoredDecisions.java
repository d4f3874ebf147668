package palmares.live.board;

import java.util.List;
import java.util.Optional;

/**
 * The decisions that PostgreSQL has on events whose ids a live board may have trimmed.
 *
 * @param position the number up to which PostgreSQL has the board's events, read before the search
 * @param decisions on each of the sought events, in their order; empty if it has none with that id
 */
public record StoredDecisions(long position, List<Optional<Decision>> decisions) {
  public StoredDecisions {
    decisions = List.copyOf(decisions);
  }

  /** Searches the journals in PostgreSQL, which keep all ids. */
  public interface Journals {
    /** Searches for the changes' ids; all changes are of one board's period. */
    StoredDecisions search(List<BoardChange> changes);
  }
}
