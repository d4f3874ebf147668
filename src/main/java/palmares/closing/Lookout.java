package palmares.closing;

import org.springframework.stereotype.Component;
import palmares.background.Loops;
import palmares.background.Outages;
import palmares.live.AdoptedBoards;
import palmares.live.LiveUnavailable;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.Sightings;

/** Looks for the keys of adopted boards: what was there once and is gone at the end was lost. */
@Component
class Lookout {
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
      var board = definitions.of(period);
      try {
        if (board.adoption() != null && adopted.exists(period, board)) {
          sightings.see(period.id());
        }
      } catch (LiveUnavailable e) {
        outages.noteRequest(e);
      }
    }
  }
}
