package palmares.live.intake;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.Event;
import palmares.live.intake.EventRouter.RoutedEvent;
import palmares.live.journal.StoredEvents;
import palmares.live.relay.RelayedEvent;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.calendar.PeriodName;

/**
 * Prepares the events that credit an inviter, so that the caller can commit them with the
 * registration or the qualification in one transaction.
 */
@Component
public class InviteCredits {
  /** The prefix of the ids of such events; callers of the API may not use it. */
  public static final String PREFIX = "registration:";

  private final EventRouter router;
  private final PeriodOpening periodOpening;
  private final StoredEvents journal;
  private final LateEvents lateEvents;

  InviteCredits(
      EventRouter router,
      PeriodOpening periodOpening,
      StoredEvents journal,
      LateEvents lateEvents) {
    this.router = router;
    this.periodOpening = periodOpening;
    this.journal = journal;
    this.lateEvents = lateEvents;
  }

  /**
   * What a registration brings its inviter.
   *
   * @param credits count with the registration
   * @param terms of the boards on which the invite must qualify first
   */
  public record Registered(List<RelayedEvent> credits, List<Terms> terms) {}

  /** A period whose rules say how an invite qualifies. */
  public record Terms(Period period, Board rules) {}

  /**
   * Returns the event for each board on which it counts now, fast boards too, unless it counted in
   * a period before: PostgreSQL may have forgotten the registration, and got its event again. A
   * board that says nothing of invites is credited if another one counts registrations alone. It
   * may open periods, so call it before the transaction that writes the events.
   */
  public Registered route(Event event) {
    var terms = new ArrayList<Terms>();
    var others = new ArrayList<RoutedEvent>();
    var origin = new EventOrigin.Registration();
    for (Board board : router.findBoards(event, origin)) {
      try {
        RoutedEvent credit = router.route(router.requireCountable(0, event, board, origin));
        Board rules = credit.opening().rules();
        if (EventPoints.isQualified(event.action(), rules)) {
          terms.add(new Terms(credit.opening().period(), rules));
        } else {
          others.add(credit);
        }
      } catch (EventRefusal refusal) {
        continue; // the board has no period at present, or takes values
      }
    }
    boolean counts = terms.isEmpty() || others.stream().anyMatch(InviteCredits::countsInvites);
    var credits = new ArrayList<RelayedEvent>();
    for (RoutedEvent credit : others) {
      if (counts && !journal.hadBefore(credit.opening().period(), event.id())) {
        credits.add(new RelayedEvent(credit.period(), credit.change()));
      }
    }
    return new Registered(credits, terms);
  }

  private static boolean countsInvites(RoutedEvent routed) {
    return routed.opening().rules().invites() != null;
  }

  /**
   * The event of an invite on the way to its board.
   *
   * @param event null if its period was never opened; then it is stored as a late event
   */
  public record Routed(PeriodName period, @Nullable RelayedEvent event) {}

  /**
   * Routes the event to the period of its time on its board; empty if the board does not count it.
   * It may open a period, so call it before the transaction that writes the event.
   *
   * @throws EventRefusal if the time is in the future
   */
  public Optional<Routed> routeQualified(Event event) {
    var origin = new EventOrigin.Qualification();
    try {
      Board board = router.findBoards(event, origin).get(0);
      try {
        RoutedEvent routed = router.route(router.requireCountable(0, event, board, origin));
        return Optional.of(
            new Routed(
                routed.opening().period().name(),
                new RelayedEvent(routed.period(), routed.change())));
      } catch (EventRefusal refusal) {
        if (refusal.reason() == RefusalReason.LATE) {
          return Optional.of(
              new Routed(periodOpening.slotAt(board, requireTime(event)).name(), null));
        }
        throw refusal;
      }
    } catch (EventRefusal refusal) {
      if (refusal.reason() == RefusalReason.FUTURE_TIME) {
        throw refusal;
      }
      return Optional.empty();
    }
  }

  /** Stores an event of a period that takes no more, for evaluation by staff. */
  public void storeLate(Event event, PeriodName period) {
    lateEvents.store(requireNonNull(event.board()), period, event, requireTime(event));
  }

  private static Instant requireTime(Event event) {
    return requireNonNull(event.occurredAt());
  }
}
