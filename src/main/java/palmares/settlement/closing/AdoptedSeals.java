package palmares.settlement.closing;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Population;

/** Takes the keys of adopted boards away from the programs that write them. */
@Component
class AdoptedSeals {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedSeals.class);

  private final LiveBoardMarks marks;
  private final AdoptedBoards adopted;

  AdoptedSeals(LiveBoardMarks marks, AdoptedBoards adopted) {
    this.marks = marks;
    this.adopted = adopted;
  }

  /**
   * Commits that the keys are there before the seal renames them: if Redis renames them, the seal
   * is not committed, and Redis loses them then, they are known to be lost.
   */
  void look(Closing closing) {
    Period period = closing.period();
    if (!marks.wasObserved(period.id()) && adopted.exists(period, closing.board())) {
      marks.markObserved(period.id());
    }
  }

  /**
   * @throws LiveBoardLost if the keys were seen, and are gone
   */
  Population seal(Closing closing) {
    Period period = closing.period();
    Optional<Population> held = adopted.seal(period, closing.board());
    if (held.isEmpty() && marks.wasObserved(period.id())) {
      throw LiveBoardLost.adopted(period);
    }
    if (held.isEmpty()) {
      LOG.warn(
          "nothing was written board={} period={}: its keys never were there, it settles without"
              + " members",
          period.board(),
          period.name());
    }
    return held.orElse(Population.EMPTY);
  }

  /** The mark in Redis is made again on every start. */
  void sealAgain(Closing closing) {
    Period period = closing.period();
    if (!period.state().isFilled() && !Population.EMPTY.equals(period.population())) {
      adopted.sealAgain(period, closing.board());
    }
  }
}
