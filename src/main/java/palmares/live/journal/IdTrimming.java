package palmares.live.journal;

import org.springframework.stereotype.Component;
import palmares.live.board.LiveJournal;
import palmares.period.BoardDefinitions;
import palmares.period.Period;

/**
 * Lets live boards forget the ids of old events that PostgreSQL has, where the board states how
 * many are kept: repeats of those are found in the journal.
 */
@Component
class IdTrimming {
  private static final int SLICE = 500;

  /** A board that was rebuilt knows all its ids again: it forgets so many slices a batch. */
  private static final int MAX_SLICES = 50;

  private final LiveJournal live;
  private final StoredEvents events;
  private final BoardDefinitions definitions;

  IdTrimming(LiveJournal live, StoredEvents events, BoardDefinitions definitions) {
    this.live = live;
    this.events = events;
    this.definitions = definitions;
  }

  /**
   * Forgets ids that are more than the board keeps, slice by slice.
   *
   * @param position the number of the last event in PostgreSQL, committed
   */
  void run(Period period, long position) {
    long keptIds = definitions.of(period).keptIds();
    if (keptIds == 0 || position <= keptIds) {
      return;
    }
    long from = live.forgotten(period);
    for (int slice = 0; slice < MAX_SLICES && from < position - keptIds; slice++) {
      long to = Math.min(from + SLICE, position - keptIds);
      if (!live.forget(period, from, to, events.ids(period.id(), from, to))) {
        return;
      }
      from = to;
    }
  }
}
