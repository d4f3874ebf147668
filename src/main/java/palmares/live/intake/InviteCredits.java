package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.live.board.Event;
import palmares.live.intake.EventRouter.RoutedEvent;
import palmares.live.journal.StoredEvents;
import palmares.live.relay.RelayedEvent;
import palmares.rules.board.Board;

/**
 * Prepares the invite events of a registration, so that the caller can commit both in one
 * transaction.
 */
@Component
public class InviteCredits {
  /** The prefix of the ids of such events; callers of the API may not use it. */
  public static final String PREFIX = "registration:";

  private final EventRouter router;
  private final StoredEvents journal;

  InviteCredits(EventRouter router, StoredEvents journal) {
    this.router = router;
    this.journal = journal;
  }

  /**
   * Returns the event for each board on which it counts now, fast boards too, unless it counted in
   * a period before: PostgreSQL may have forgotten the registration, and got its event again. It
   * may open periods, so call it before the transaction that writes the events.
   */
  public List<RelayedEvent> route(Event event) {
    var routed = new ArrayList<RelayedEvent>();
    var origin = new EventOrigin.Registration();
    for (Board board : router.findBoards(event, origin)) {
      try {
        RoutedEvent credit = router.route(router.requireCountable(0, event, board, origin));
        if (!journal.hadBefore(credit.opening().period(), event.id())) {
          routed.add(new RelayedEvent(credit.period(), credit.change()));
        }
      } catch (EventRefusal refusal) {
        continue; // the board has no period at present, or takes values
      }
    }
    return routed;
  }
}
