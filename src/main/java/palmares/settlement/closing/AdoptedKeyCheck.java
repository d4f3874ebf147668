package palmares.settlement.closing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards;
import palmares.period.BoardDefinitions;
import palmares.period.ObservedKeys;
import palmares.period.Period;
import palmares.period.UnreadableDefinition;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.rules.board.Board;

/** Looks for the keys of adopted boards: what was there once and is gone at the end was lost. */
@Component
class AdoptedKeyCheck {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedKeyCheck.class);

  private final ObservedKeys observedKeys;
  private final BoardDefinitions definitions;
  private final AdoptedBoards adopted;
  private final Outages outages;

  AdoptedKeyCheck(
      ObservedKeys observedKeys, BoardDefinitions definitions, AdoptedBoards adopted, Loops loops) {
    this.outages = loops.outages();
    this.observedKeys = observedKeys;
    this.definitions = definitions;
    this.adopted = adopted;
  }

  void look() {
    for (Period period : observedKeys.unseen()) {
      try {
        Board board = definitions.of(period);
        if (board.adoption() != null && adopted.exists(period, board)) {
          observedKeys.see(period.id());
        }
      } catch (RedisUnavailable e) {
        outages.noteRequest(e);
        return; // Each further question would wait as long.
      } catch (UnreadableDefinition e) {
        LOG.warn("not looked for {}: {}", period.label(), e.getMessage());
      }
    }
  }
}
