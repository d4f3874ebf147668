package palmares.live.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.live.intake.EventRouter.RoutedEvent;
import palmares.live.intake.PeriodOpening.Opening;
import palmares.live.journal.StoredEvents;
import palmares.period.PeriodId;

/**
 * Detects repeats across the end of a period. If a board uses the server's clock, an event taken in
 * the last second of a period may be sent again in the first second of the next, and must not count
 * in both. So the ids of the previous period are searched until its grace ends, also if no period
 * follows or its rules refuse the event.
 */
@Component
class RepeatDetection {
  private final PeriodOpening periodOpening;
  private final EventDecider decider;
  private final StoredEvents journal;

  RepeatDetection(PeriodOpening periodOpening, EventDecider decider, StoredEvents journal) {
    this.periodOpening = periodOpening;
    this.decider = decider;
    this.journal = journal;
  }

  /**
   * An event on its way to one board.
   *
   * @param routed to the previous period if the event cannot count in the present one
   * @param refusal why it cannot count; null if it can
   */
  record Candidate(RoutedEvent routed, @Nullable EventRefusal refusal) {}

  /** Adds the outcomes of repeats and of events that cannot count; returns the other events. */
  List<RoutedEvent> removeRepeats(List<Candidate> candidates, BatchOutcome outcomes) {
    var before = new HashMap<PeriodId, Optional<Opening>>();
    var searched = new ArrayList<Candidate>();
    var sought = new ArrayList<RoutedEvent>();
    for (Candidate each : candidates) {
      RoutedEvent routed = each.routed();
      if (each.refusal() != null) {
        searched.add(each);
        sought.add(routed);
      } else if (routed.isTimedByServer()) {
        before
            .computeIfAbsent(
                routed.opening().period().id(), id -> periodOpening.findPrevious(routed.opening()))
            .filter(previous -> previous.isInGrace(routed.time()))
            .ifPresent(
                opening -> {
                  searched.add(each);
                  sought.add(routed.in(opening));
                });
      }
    }
    Set<RoutedEvent> concluded = conclude(searched, sought, outcomes);
    return candidates.stream()
        .map(Candidate::routed)
        .filter(routed -> !concluded.contains(routed))
        .toList();
  }

  private Set<RoutedEvent> conclude(
      List<Candidate> searched, List<RoutedEvent> sought, BatchOutcome outcomes) {
    Set<RoutedEvent> concluded = Collections.newSetFromMap(new IdentityHashMap<>());
    if (searched.isEmpty()) {
      return concluded;
    }
    List<Optional<Decision>> decided = searchJournal(sought, decider.findEarlier(sought));
    for (int i = 0; i < searched.size(); i++) {
      RoutedEvent routed = searched.get(i).routed();
      EventRefusal refusal = searched.get(i).refusal();
      if (decided.get(i).isPresent()) {
        outcomes.add(sought.get(i), decided.get(i).get());
        concluded.add(routed);
      } else if (refusal != null) {
        outcomes.add(routed.index(), OnBoard.refused(routed.board().id(), null, refusal));
        concluded.add(routed);
      }
    }
    return concluded;
  }

  /** Searches PostgreSQL for events of live boards that are missing or have trimmed ids. */
  private List<Optional<Decision>> searchJournal(
      List<RoutedEvent> sought, List<Optional<Decision>> decided) {
    var keys = new HashMap<Integer, StoredEvents.Key>();
    for (int i = 0; i < sought.size(); i++) {
      if (decided.get(i).filter(live -> live.verdict() == Verdict.MISSING).isPresent()) {
        keys.put(i, sought.get(i).key());
      }
    }
    if (keys.isEmpty()) {
      return decided;
    }
    Map<StoredEvents.Key, Decision> kept = find(keys.values());
    var known = new ArrayList<>(decided);
    keys.forEach((i, key) -> known.set(i, Optional.ofNullable(kept.get(key))));
    return known;
  }

  private Map<StoredEvents.Key, Decision> find(Collection<StoredEvents.Key> keys) {
    try {
      return journal.find(keys);
    } catch (DataAccessException away) {
      return Map.of(); // events are still taken
    }
  }
}
