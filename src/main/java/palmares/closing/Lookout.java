package palmares.closing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.background.Loops;
import palmares.background.Outages;
import palmares.board.Board;
import palmares.live.AdoptedBoards;
import palmares.live.LiveUnavailable;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.Sightings;
import palmares.period.UnreadableDefinition;

/** Looks for the keys of adopted boards: what was there once and is gone at the end was lost. */
@Component
class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

  private final Sightings sightings;
  private final Definitions definitions;
  private final AdoptedBoards adopted;
  private final Outages outages;

  Lookout(Sightings sightings, Definitions definitions, AdoptedBoards adopted, Loops loops) {
    this.outages = loops.outages();
    this.sightings = sightings;
    this.definitions = definitions;
    this.adopted = adopted;
  }

  void look() {
    for (Period period : sightings.unseen()) {
      try {
        Board board = definitions.of(period);
        if (board.adoption() != null && adopted.exists(period, board)) {
          sightings.see(period.id());
        }
      } catch (LiveUnavailable e) {
        outages.noteRequest(e);
        return; // Each further question would wait as long.
      } catch (UnreadableDefinition e) {
        LOG.warn("not looked for {}: {}", period.label(), e.getMessage());
      }
    }
  }
}
