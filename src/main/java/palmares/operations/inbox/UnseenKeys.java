package palmares.operations.inbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.rules.adoption.Adoption;
import palmares.rules.board.Board;

/** Finds open periods of adopted boards of which no sweep has seen a key. */
@Component
class UnseenKeys {
  /** Programs need some time until their first write. */
  private static final Duration LISTED_AFTER = Duration.ofMinutes(30);

  private final LiveBoardMarks marks;
  private final BoardDefinitions definitions;
  private final Clock clock;

  UnseenKeys(LiveBoardMarks marks, BoardDefinitions definitions, Clock clock) {
    this.marks = marks;
    this.definitions = definitions;
    this.clock = clock;
  }

  /** A period, and the keys that were looked for. */
  record Unseen(Period period, List<String> keys) {}

  List<Unseen> find() {
    Instant latest = clock.instant().minus(LISTED_AFTER);
    var unseen = new ArrayList<Unseen>();
    for (Period period : marks.unobserved()) {
      if (!period.slot().startsAt().isAfter(latest)) {
        List<String> keys = keys(period);
        if (!keys.isEmpty()) {
          unseen.add(new Unseen(period, keys));
        }
      }
    }
    return unseen;
  }

  /** Returns none if the board counts events, or its rules cannot be read. */
  private List<String> keys(Period period) {
    try {
      Board board = definitions.of(period);
      return board.kind().map(List::of, adoption -> keys(period, board, adoption));
    } catch (UnreadableDefinition closingFails) {
      return List.of();
    }
  }

  private static List<String> keys(Period period, Board board, Adoption adoption) {
    return adoption.keys(board.calendarSlot(period.slot()), board.zone());
  }
}
