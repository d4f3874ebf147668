package palmares.intake;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.relay.Delivery;

/**
 * Finds out what an event of ours would bring, for whoever commits it together with what it stands
 * for: then the two cannot drift apart.
 */
@Component
public class Credits {
  /** The ids of such events begin so, and no caller's do. */
  public static final String PREFIX = "registration:";

  private final Routing routing;

  Credits(Routing routing) {
    this.routing = routing;
  }

  /**
   * One delivery for each board on which the event counts now, fast boards too. May open periods,
   * so it is called before the transaction that writes the deliveries.
   */
  public List<Delivery> of(Event event) {
    var deliveries = new ArrayList<Delivery>();
    var origin = new Origin.Ours();
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
