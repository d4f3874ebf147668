package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.live.relay.RelayedEvent;
import palmares.rules.board.Board;

/**
 * Finds out what an event of ours would bring, for whoever commits it together with what it stands
 * for: then the two cannot drift apart.
 */
@Component
public class InviteCredits {
  /** The ids of such events begin so, and no caller's do. */
  public static final String PREFIX = "registration:";

  private final EventRouting routing;

  InviteCredits(EventRouting routing) {
    this.routing = routing;
  }

  /**
   * One delivery for each board on which the event counts now, fast boards too. May open periods,
   * so it is called before the transaction that writes the deliveries.
   */
  public List<RelayedEvent> of(Event event) {
    var deliveries = new ArrayList<RelayedEvent>();
    var origin = new EventOrigin.Ours();
    for (Board board : routing.boards(event, origin)) {
      try {
        deliveries.add(routing.task(0, event, board, origin).delivery());
      } catch (Refusal refusal) {
        // It cannot count there: the board has no period at present, or takes values.
        continue;
      }
    }
    return deliveries;
  }
}
