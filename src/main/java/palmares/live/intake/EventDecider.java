package palmares.live.intake;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoards;
import palmares.live.board.Verdict;
import palmares.live.intake.EventRouter.RoutedEvent;
import palmares.live.relay.CommittedEvents;
import palmares.live.relay.Committer;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.infra.WorkPermit;
import palmares.platform.infra.WorkPermit.WorkSuspended;

/**
 * Lets live boards decide events: those of fast boards directly in Redis, those of committed boards
 * through PostgreSQL and the relay.
 */
@Component
class EventDecider {
  private final LiveBoards live;
  private final Committer committer;
  private final CommittedEvents committed;
  private final Periods periods;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final WorkPermit permit;

  EventDecider(
      LiveBoards live,
      Committer committer,
      CommittedEvents committed,
      Periods periods,
      TransactionTemplate transaction,
      Clock clock,
      WorkPermit permit) {
    this.live = live;
    this.committer = committer;
    this.committed = committed;
    this.periods = periods;
    this.transaction = transaction;
    this.clock = clock;
    this.permit = permit;
  }

  /**
   * Decides the events; those of one board in the given order. Fast boards come first: if Redis
   * does not answer, nothing is committed.
   *
   * @throws WorkSuspended if this process must not take events
   */
  List<Decision> decide(List<RoutedEvent> routedEvents) {
    permit.requireNotSuspended();
    var fast = routedEvents.stream().filter(Predicate.not(RoutedEvent::isCommitted)).toList();
    var safe = routedEvents.stream().filter(RoutedEvent::isCommitted).toList();
    var applied = apply(fast).iterator();
    var relayed =
        committer.commit(safe.stream().map(RoutedEvent::toRelayedEvent).toList()).iterator();
    return routedEvents.stream()
        .map(routed -> routed.isCommitted() ? relayed.next() : applied.next())
        .toList();
  }

  /**
   * Decides events of fast boards. Redis may have lost a seal, or remember one that was never
   * recorded. So an event of now is late by the clock, and an imported event by the state of its
   * period's row, which is locked until the events are decided.
   */
  private List<Decision> apply(List<RoutedEvent> routedEvents) {
    if (routedEvents.stream().anyMatch(EventDecider::isHistory)) {
      return transaction.execute(
          status -> {
            Set<PeriodId> open =
                periods.holdOpen(routedEvents.stream().map(RoutedEvent::period).toList());
            return apply(routedEvents, routed -> open.contains(routed.period()));
          });
    }
    Instant now = clock.instant();
    return apply(routedEvents, routed -> !routed.opening().period().isOver(now));
  }

  private static boolean isHistory(RoutedEvent routed) {
    return routed.change().arrival() == Arrival.ANY;
  }

  private List<Decision> apply(List<RoutedEvent> routedEvents, Predicate<RoutedEvent> isOpen) {
    var applied = applyToOpen(routedEvents.stream().filter(isOpen).toList()).iterator();
    var closed = routedEvents.stream().filter(isOpen.negate()).toList();
    var before =
        (closed.isEmpty() ? List.<Optional<Decision>>of() : live.findDecisions(changes(closed)))
            .iterator();
    return routedEvents.stream()
        .map(routed -> isOpen.test(routed) ? applied.next() : decidedOrLate(routed, before.next()))
        .toList();
  }

  private List<Decision> applyToOpen(List<RoutedEvent> routedEvents) {
    if (routedEvents.isEmpty()) {
      return List.of();
    }
    var decisions = new ArrayList<>(live.apply(changes(routedEvents)));
    List<Integer> sealedInRedis =
        IntStream.range(0, routedEvents.size())
            .filter(i -> decisions.get(i).verdict() == Verdict.LATE)
            .filter(i -> isHistory(routedEvents.get(i)))
            .boxed()
            .toList();
    if (!sealedInRedis.isEmpty()) {
      List<RoutedEvent> again = sealedInRedis.stream().map(routedEvents::get).toList();
      again.stream().map(routed -> routed.opening().period()).distinct().forEach(live::unseal);
      var decided = live.apply(changes(again)).iterator();
      sealedInRedis.forEach(i -> decisions.set(i, decided.next()));
    }
    return decisions;
  }

  private static Decision decidedOrLate(RoutedEvent routed, Optional<Decision> decided) {
    return decided
        .filter(decision -> decision.verdict() != Verdict.MISSING)
        .orElseGet(() -> Decision.late(routed.time()));
  }

  private static List<BoardChange> changes(List<RoutedEvent> routedEvents) {
    return routedEvents.stream().map(RoutedEvent::change).toList();
  }

  /** Finds what the boards decided earlier on events with these ids; empty where nothing. */
  List<Optional<Decision>> findEarlier(List<RoutedEvent> routedEvents) {
    var fast = routedEvents.stream().filter(Predicate.not(RoutedEvent::isCommitted)).toList();
    var safe = routedEvents.stream().filter(RoutedEvent::isCommitted).toList();
    var applied =
        (fast.isEmpty() ? List.<Optional<Decision>>of() : live.findDecisions(changes(fast)))
            .iterator();
    var kept =
        committed.findEarlier(safe.stream().map(RoutedEvent::toRelayedEvent).toList()).iterator();
    return routedEvents.stream()
        .map(routed -> routed.isCommitted() ? kept.next() : applied.next())
        .toList();
  }
}
