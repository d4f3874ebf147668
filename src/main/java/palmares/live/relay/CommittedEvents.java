package palmares.live.relay;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.BoardChange;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.relay.CommittedEventRows.EventKey;
import palmares.live.relay.CommittedEventRows.Numbered;
import palmares.live.relay.CommittedEventRows.Stored;
import palmares.live.relay.CommittedEvents.Commit.Result;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.threads.RecentlyUsed;

/**
 * Writes committed events and finds the decisions on them.
 *
 * <p>Each event gets a number in its period, in the order of commits. The relay works in that
 * order.
 */
@Component
public class CommittedEvents {
  private static final int MAX_COMPLETE_PERIODS = 10_000;

  private final Periods periods;
  private final CommittedEventRows rows;
  private final Clock clock;

  /** Periods that were over when those who held them had ended. */
  private final Set<PeriodId> complete =
      Collections.newSetFromMap(RecentlyUsed.map(MAX_COMPLETE_PERIODS));

  CommittedEvents(Periods periods, CommittedEventRows rows, Clock clock) {
    this.periods = periods;
    this.rows = rows;
    this.clock = clock;
  }

  /**
   * What became of an event.
   *
   * @param fresh the event for the relay; null unless it was written
   */
  public record Commit(RelayedEvent event, Result result, @Nullable FreshEvent fresh) {
    /** An event that was not written now. */
    private Commit(RelayedEvent event, Result result) {
      this(event, result, null);
    }

    /** The decision, if the relay need not be asked for it. */
    @Nullable Decision decision() {
      return fresh == null ? null : fresh.decision();
    }

    public enum Result {
      /** The event is written, and counts once it is relayed. */
      WRITTEN,
      /** The event was written before. */
      REPEATED,
      /** Another event with the same id was written before: nothing is written. */
      CONFLICTING,
      /** The period is over, and the event is for a later one: nothing is written. */
      OUTSIDE,
      /** The period takes no more events: nothing is written. */
      LATE;

      /** Whether the event is in the table. */
      boolean isStored() {
        return switch (this) {
          case WRITTEN, REPEATED -> true;
          case CONFLICTING, OUTSIDE, LATE -> false;
        };
      }
    }
  }

  /**
   * Writes the events in this order, each once, in the caller's transaction. Until it ends, no
   * period of the events can be sealed, and other writers to these periods wait.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<Commit> write(List<RelayedEvent> events) {
    if (events.isEmpty()) {
      return List.of();
    }
    periods.hold(events.stream().map(RelayedEvent::period).collect(toUnmodifiableSet()));
    // After that, so that a period which is over is held by nobody who began before its end, once
    // somebody has waited for those who hold it.
    Instant now = clock.instant();
    List<Numbered> numbered = rows.insert(events, now);
    boolean isWhole = numbered.get(0).inserted() == events.size();
    Map<EventKey, Stored> stored =
        isWhole ? Map.of() : rows.find(events.stream().map(EventKey::of).toList());
    return IntStream.range(0, events.size())
        .mapToObj(i -> commit(events.get(i), numbered.get(i), isWhole, stored))
        .toList();
  }

  private static Commit commit(
      RelayedEvent event, Numbered number, boolean isWhole, Map<EventKey, Stored> all) {
    Stored stored = all.get(EventKey.of(event));
    boolean isWritten = isWhole || stored != null && stored.n() == number.n();
    return isWritten
        ? new Commit(event, Result.WRITTEN, new FreshEvent(event, number.n()))
        : new Commit(event, result(event, stored, number.isOpen()));
  }

  /** The result of an event that was not written. */
  private static Result result(RelayedEvent event, @Nullable Stored earlier, boolean isOpen) {
    if (earlier != null) {
      return result(earlier, event.change());
    }
    return isOpen ? Result.OUTSIDE : Result.LATE;
  }

  private static Result result(Stored earlier, BoardChange repeat) {
    return earlier.digest().equals(repeat.digest()) ? Result.REPEATED : Result.CONFLICTING;
  }

  /** Returns the decisions on the commits; an event that is not relayed yet is accepted. */
  public List<Decision> decisions(List<Commit> commits) {
    Map<EventKey, Stored> found =
        rows.find(
            commits.stream()
                .filter(commit -> commit.result().isStored() && commit.decision() == null)
                .map(commit -> EventKey.of(commit.event()))
                .toList());
    return commits.stream()
        .map(commit -> decision(commit, found.get(EventKey.of(commit.event()))))
        .toList();
  }

  /**
   * Finds earlier events with these ids in periods that are over: the decisions are duplicates or
   * conflicts. Those whose commit began before the end of a period, and goes on, are waited for.
   */
  public List<Optional<Decision>> findEarlier(List<RelayedEvent> events) {
    events.forEach(this::awaitEarlier);
    Map<EventKey, Stored> found = rows.find(events.stream().map(EventKey::of).toList());
    return events.stream()
        .map(
            event ->
                Optional.ofNullable(found.get(EventKey.of(event)))
                    .map(
                        stored ->
                            decision(new Commit(event, result(stored, event.change())), stored)))
        .toList();
  }

  /**
   * An event that states its own time is never for another period, so its repeat is not, either.
   * The clock of Redis, by which events are routed, may be ahead of the one that ends the period.
   */
  private void awaitEarlier(RelayedEvent event) {
    if (event.before() == null || complete.contains(event.period())) {
      return;
    }
    boolean isOver = !clock.instant().isBefore(event.before());
    periods.awaitHolders(event.period());
    if (isOver) {
      complete.add(event.period());
    }
  }

  /** A standby that lacks the commit may have been promoted since. */
  private static Stored requireKept(Commit commit, @Nullable Stored stored) {
    if (stored == null) {
      throw new Refusal(
          Problem.DATABASE_UNAVAILABLE, new RelaySentences.WentBack(commit.event().change().id()));
    }
    return stored;
  }

  private Decision decision(Commit commit, @Nullable Stored stored) {
    Instant occurredAt = Objects.requireNonNull(commit.event().change().occurredAt());
    Decision fresh = commit.decision();
    if (fresh != null) {
      return fresh;
    }
    return switch (commit.result()) {
      case WRITTEN -> requireKept(commit, stored).decision(false);
      case REPEATED -> requireKept(commit, stored).decision(true);
      case CONFLICTING -> new Decision(Verdict.CONFLICT, 0, 0, occurredAt, null);
      case OUTSIDE -> new Decision(Verdict.OUTSIDE, 0, 0, clock.instant(), null);
      case LATE -> Decision.late(occurredAt);
    };
  }
}
