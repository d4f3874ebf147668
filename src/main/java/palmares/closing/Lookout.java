package palmares.closing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.AdoptedBoards;
import palmares.live.LiveUnavailable;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.Sightings;

/** Looks for the keys of adopted boards: what was there once and is gone at the end was lost. */
@Component
class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

  private final Sightings sightings;
  private final Definitions definitions;
  private final AdoptedBoards adopted;

  Lookout(Sightings sightings, Definitions definitions, AdoptedBoards adopted) {
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
        LOG.warn(
            "not looked for board={} period={}: {}", board.id(), period.name(), e.getMessage());
      }
    }
  }
}
