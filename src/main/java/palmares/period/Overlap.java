package palmares.period;

import palmares.board.BoardId;
import palmares.calendar.Slot;

/** A period that would overlap one that the board opened under an earlier calendar. */
public final class Overlap extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Overlap(BoardId board, Slot slot) {
    super(
        "period %s of the board '%s' overlaps one that was opened under its earlier calendar"
            .formatted(slot.name(), board));
  }
}
