package palmares.live.intake;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.board.Decision;
import palmares.live.board.Event;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.Verdict;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.EventRouter.Countable;
import palmares.live.intake.EventRouter.RoutedEvent;
import palmares.live.intake.RepeatDetection.Candidate;
import palmares.live.journal.StoredEvents;
import palmares.period.Period;
import palmares.platform.infra.WorkPermit.WorkSuspended;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Spans;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/** Takes events: applies each to every live board that it feeds, and returns its outcome. */
@Component
public class Intake {
  /** One attempt, one after the live board was created, one in the period of a later time. */
  private static final int MAX_ATTEMPTS = 3;

  private final EventRouter router;
  private final PeriodOpening periodOpening;
  private final RepeatDetection repeatDetection;
  private final EventDecider decider;
  private final StoredEvents storedEvents;
  private final LateEvents lateEvents;
  private final Spans spans;
  private final EventCounters counters;

  Intake(
      EventRouter router,
      PeriodOpening periodOpening,
      RepeatDetection repeatDetection,
      EventDecider decider,
      StoredEvents storedEvents,
      LateEvents lateEvents,
      Spans spans,
      EventCounters counters) {
    this.router = router;
    this.periodOpening = periodOpening;
    this.repeatDetection = repeatDetection;
    this.decider = decider;
    this.storedEvents = storedEvents;
    this.lateEvents = lateEvents;
    this.spans = spans;
    this.counters = counters;
  }

  /**
   * Takes the events in this order, and returns their outcomes in the same. After an exception the
   * caller may send all again: events that were taken are duplicates then.
   *
   * @throws RedisUnavailable if Redis does not answer or refuses
   * @throws LiveBoardUnavailable if a board takes no events at present
   * @throws WorkSuspended if this process must not take any
   */
  public List<EventOutcome> take(List<Event> events, EventOrigin origin) {
    List<EventOutcome> outcomes =
        spans.call("intake", () -> takeAll(events, origin), "events", events.size());
    count(outcomes);
    return outcomes;
  }

  /** Counts a request that is refused as a whole, since nobody knows its events. */
  public void countRequest(EventRefusal refusal) {
    count(List.of(EventOutcome.refused(null, refusal)));
  }

  void count(List<EventOutcome> outcomes) {
    counters.count(outcomes);
  }

  /** Before an exception, counts what is known. */
  private List<EventOutcome> takeAll(List<Event> events, EventOrigin origin) {
    var outcomes = new BatchOutcome(events);
    try {
      takeAll(outcomes, events, origin);
    } catch (RuntimeException e) {
      count(outcomes.known());
      throw e;
    }
    return outcomes.outcomes();
  }

  private void takeAll(BatchOutcome outcomes, List<Event> events, EventOrigin origin) {
    var candidates = new ArrayList<Candidate>();
    for (int i = 0; i < events.size(); i++) {
      try {
        candidates.addAll(route(outcomes, i, events.get(i), origin));
      } catch (EventRefusal refusal) {
        outcomes.refuse(i, refusal);
      }
    }
    var routedEvents = repeatDetection.removeRepeats(candidates, outcomes);
    List<Decision> decided = decider.decide(routedEvents);
    for (int i = 0; i < routedEvents.size(); i++) {
      conclude(outcomes, routedEvents.get(i), decided.get(i), origin);
    }
    concludeLate(outcomes);
  }

  /** Opens no period before it is known that the event counts there. */
  private List<Candidate> route(BatchOutcome outcomes, int index, Event event, EventOrigin origin) {
    var candidates = new ArrayList<Candidate>(2);
    var countable = new ArrayList<Countable>(2);
    for (Board board : router.findBoards(event, origin)) {
      try {
        countable.add(router.requireCountable(index, event, board, origin));
      } catch (EventRefusal refusal) {
        addRefused(candidates, outcomes, index, event, board, origin, refusal);
      }
    }
    EventPoints.requireUse(event, rules(candidates, countable));
    for (Countable each : countable) {
      try {
        candidates.add(new Candidate(router.route(each), null));
      } catch (EventRefusal refusal) {
        addRefused(candidates, outcomes, index, event, each.board(), origin, refusal);
      }
    }
    return candidates;
  }

  private static List<Board> rules(List<Candidate> candidates, List<Countable> countable) {
    return Stream.concat(
            candidates.stream().map(each -> each.routed().opening().rules()),
            countable.stream().map(Countable::rules))
        .toList();
  }

  private void addRefused(
      List<Candidate> candidates,
      BatchOutcome outcomes,
      int index,
      Event event,
      Board board,
      EventOrigin origin,
      EventRefusal refusal) {
    router
        .routeToPreviousPeriod(index, event, board, origin)
        .ifPresentOrElse(
            before -> candidates.add(new Candidate(before, refusal)),
            () -> outcomes.add(index, OnBoard.refused(board.id(), null, refusal)));
  }

  /** Decides an event again if the live board was missing, or the period has changed meanwhile. */
  private void conclude(
      BatchOutcome outcomes, RoutedEvent first, Decision decided, EventOrigin origin) {
    RoutedEvent routed = first;
    Decision decision = decided;
    try {
      for (int attempt = 1; decision.verdict().isDeferred() && attempt <= MAX_ATTEMPTS; attempt++) {
        if (decision.verdict() == Verdict.OUTSIDE) {
          routed = router.routeAgain(routed, origin, decision.occurredAt());
          // It was routed to the period before, which was not searched for an earlier copy.
          if (repeatDetection
              .removeRepeats(List.of(new Candidate(routed, null)), outcomes)
              .isEmpty()) {
            return;
          }
        } else if (decision.verdict() == Verdict.MISSING
            && !periodOpening.createLiveBoard(routed.opening())) {
          outcomes.add(routed, Decision.late(routed.time()));
          return;
        }
        decision = decider.decide(List.of(routed)).get(0);
      }
      if (decision.verdict().isDeferred()) {
        throw new EventRefusal(
            RefusalReason.NO_PERIOD,
            new EventSentences.OutsidePeriod(
                routed.opening().period().label(),
                decision.occurredAt().atZone(routed.board().zone())));
      }
      outcomes.add(routed, decision);
    } catch (EventRefusal refusal) {
      outcomes.add(
          routed.index(),
          OnBoard.refused(routed.board().id(), routed.opening().period().name(), refusal));
    }
  }

  /** A late event may be the repeat of one whose id Redis has trimmed; the journal has it. */
  private void concludeLate(BatchOutcome outcomes) {
    Map<StoredEvents.Key, Decision> known =
        storedEvents.find(outcomes.late().stream().map(late -> late.routed().key()).toList());
    for (BatchOutcome.Late late : outcomes.late()) {
      RoutedEvent routed = late.routed();
      Decision first = known.get(routed.key());
      outcomes.addFinal(routed, first == null ? store(routed, late.decision()) : first);
    }
  }

  private Decision store(RoutedEvent routed, Decision decision) {
    Period period = routed.opening().period();
    return lateEvents.store(period.board(), period.name(), routed.event(), decision.occurredAt())
        ? decision
        : new Decision(Verdict.CONFLICT, 0, 0, decision.occurredAt(), null);
  }

  /** Counts the outcomes of events as metrics, those on several boards once for each. */
  @Component
  static class EventCounters {
    private static final String NONE = "none";

    private final MeterRegistry metrics;
    private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

    EventCounters(MeterRegistry metrics) {
      this.metrics = metrics;
    }

    /** Says what is counted together: a board, null for none, and an outcome on it. */
    private record Key(@Nullable BoardId board, Kind kind, @Nullable RefusalReason reason) {}

    /** Adds to each counter once, however many outcomes it counts. */
    void count(List<EventOutcome> outcomes) {
      var sums = new HashMap<Key, Integer>();
      for (EventOutcome outcome : outcomes) {
        if (outcome.boards().isEmpty()) {
          sums.merge(new Key(null, outcome.kind(), outcome.reason()), 1, Integer::sum);
        }
        for (OnBoard on : outcome.boards()) {
          sums.merge(new Key(on.board(), on.kind(), on.reason()), 1, Integer::sum);
        }
      }
      sums.forEach((key, sum) -> counters.computeIfAbsent(key, this::counter).increment(sum));
    }

    private Counter counter(Key key) {
      return Counter.builder("palmares.events")
          .description("outcomes of events by board")
          .tag("board", key.board() == null ? NONE : key.board().value())
          .tag("outcome", key.kind().word())
          .tag("reason", key.reason() == null ? NONE : key.reason().word())
          .register(metrics);
    }
  }
}
