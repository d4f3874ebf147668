package palmares.live.relay;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.BoardChange;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.relay.CommittedEventRows.EventKey;
import palmares.live.relay.CommittedEventRows.NumberedEvent;
import palmares.live.relay.CommittedEventRows.RowKey;
import palmares.live.relay.CommittedEventRows.Stored;
import palmares.live.relay.CommittedEvents.Commit.Result;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.sql.RecordMapper;
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

  private final JdbcClient jdbc;
  private final Periods periods;
  private final CommittedEventRows rows;
  private final Clock clock;

  /** Periods that were over when those who held them had ended. */
  private final Set<PeriodId> complete =
      Collections.newSetFromMap(RecentlyUsed.map(MAX_COMPLETE_PERIODS));

  CommittedEvents(JdbcClient jdbc, Periods periods, CommittedEventRows rows, Clock clock) {
    this.jdbc = jdbc;
    this.periods = periods;
    this.rows = rows;
    this.clock = clock;
  }

  public record Commit(RelayedEvent event, Result result) {
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
    Map<PeriodId, Optional<Instant>> open =
        periods.holdOpen(events.stream().map(RelayedEvent::period).toList());
    // After that, so that a period which is over is held by nobody who began before its end, once
    // somebody has waited for those who hold it.
    Instant now = clock.instant();
    List<NumberedEvent> numbered = number(events, open, now);
    Set<RowKey> written = rows.insert(numbered.stream().filter(row -> row.n() > 0).toList(), now);
    Map<EventKey, Stored> earlier =
        rows.find(
            numbered.stream()
                .filter(row -> !written.contains(row.rowKey()))
                .map(NumberedEvent::eventKey)
                .toList());
    return numbered.stream()
        .map(
            row ->
                new Commit(
                    row.event(),
                    written.contains(row.rowKey())
                        ? Result.WRITTEN
                        : result(
                            row.event(),
                            earlier.get(row.eventKey()),
                            isOpen(row.event(), open, now))))
        .toList();
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

  /** Gives each event the next number of its period; 0 if the period takes no more events. */
  private List<NumberedEvent> number(
      List<RelayedEvent> events, Map<PeriodId, Optional<Instant>> open, Instant now) {
    Map<Long, Long> last =
        reserve(
            events.stream()
                .filter(event -> isTimely(event, open, now))
                .collect(groupingBy(event -> event.period().value(), TreeMap::new, counting())));
    return events.stream()
        .map(
            event ->
                isTimely(event, open, now)
                    ? new NumberedEvent(event, last.merge(event.period().value(), 1L, Long::sum))
                    : new NumberedEvent(event, 0))
        .toList();
  }

  private static boolean isTimely(
      RelayedEvent event, Map<PeriodId, Optional<Instant>> open, Instant now) {
    return isOpen(event, open, now) && (event.before() == null || now.isBefore(event.before()));
  }

  /** Whether the period takes events that belong to it. */
  private static boolean isOpen(
      RelayedEvent event, Map<PeriodId, Optional<Instant>> open, Instant now) {
    Optional<Instant> closes = open.get(event.period());
    return closes != null
        && (event.change().arrival() == Arrival.ANY
            || closes.filter(end -> !now.isBefore(end)).isEmpty());
  }

  /** Reserves that many numbers of each period; returns the last number used before, by period. */
  private Map<Long, Long> reserve(Map<Long, Long> counts) {
    if (counts.isEmpty()) {
      return Map.of();
    }
    Map<Long, Long> last =
        jdbc.sql(
                """
                insert into relay as own (period_id, committed, relayed)
                select period_id, count, 0
                from unnest(:periods::bigint[], :counts::bigint[]) as taken (period_id, count)
                order by period_id
                on conflict (period_id) do update set committed = own.committed + excluded.committed
                returning period_id, committed
                """)
            .param("periods", counts.keySet())
            .param("counts", counts.values())
            .query(RecordMapper.map(Long.class, Long.class));
    last.replaceAll((period, committed) -> committed - Objects.requireNonNull(counts.get(period)));
    return last;
  }

  /** Returns the decisions on the commits; an event that is not relayed yet is accepted. */
  public List<Decision> decisions(List<Commit> commits) {
    Map<EventKey, Stored> found =
        rows.find(
            commits.stream()
                .filter(commit -> commit.result().isStored())
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
    return switch (commit.result()) {
      case WRITTEN -> requireKept(commit, stored).decision(false);
      case REPEATED -> requireKept(commit, stored).decision(true);
      case CONFLICTING -> new Decision(Verdict.CONFLICT, 0, 0, occurredAt, null);
      case OUTSIDE -> new Decision(Verdict.OUTSIDE, 0, 0, clock.instant(), null);
      case LATE -> Decision.late(occurredAt);
    };
  }
}
