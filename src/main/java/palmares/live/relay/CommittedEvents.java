package palmares.live.relay;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
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
import palmares.live.relay.Commit.Result;
import palmares.live.relay.CommittedRows.Kept;
import palmares.live.relay.NumberedEvent.Key;
import palmares.live.relay.NumberedEvent.Place;
import palmares.period.PeriodId;
import palmares.period.Periods;

/** The events that were committed, and what became of each. */
@Component
public class CommittedEvents {
  private final JdbcClient jdbc;
  private final Periods periods;
  private final CommittedRows rows;
  private final Clock clock;

  CommittedEvents(JdbcClient jdbc, Periods periods, CommittedRows rows, Clock clock) {
    this.jdbc = jdbc;
    this.periods = periods;
    this.rows = rows;
    this.clock = clock;
  }

  /**
   * Writes the events in this order, each once, in the transaction that this is part of. None of
   * their periods can be sealed until it ends, and others who write to them wait for it.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<Commit> write(List<RelayedEvent> deliveries) {
    Instant now = clock.instant();
    List<NumberedEvent> numbered = number(deliveries, now);
    Set<Place> written = rows.insert(numbered.stream().filter(row -> row.n() > 0).toList(), now);
    Map<Key, Kept> before =
        rows.find(
            numbered.stream()
                .filter(row -> !written.contains(row.place()))
                .map(NumberedEvent::key)
                .toList());
    return numbered.stream()
        .map(row -> new Commit(row.delivery(), result(row, written, before.get(row.key()))))
        .toList();
  }

  private static Result result(NumberedEvent row, Set<Place> written, @Nullable Kept before) {
    if (written.contains(row.place())) {
      return Result.WRITTEN;
    }
    if (before == null) {
      return Result.LATE;
    }
    return result(before, row.change());
  }

  private static Result result(Kept before, BoardChange repeat) {
    return before.digest().equals(repeat.digest()) ? Result.REPEATED : Result.CONFLICTING;
  }

  /** Gives each the next number of its period; 0 where the period takes no more. */
  private List<NumberedEvent> number(List<RelayedEvent> deliveries, Instant now) {
    Map<PeriodId, Optional<Instant>> open =
        periods.holdOpen(deliveries.stream().map(RelayedEvent::period).toList());
    Map<Long, Long> next =
        reserve(
            deliveries.stream()
                .filter(delivery -> isTimely(delivery, open, now))
                .collect(
                    groupingBy(delivery -> delivery.period().value(), TreeMap::new, counting())));
    return deliveries.stream()
        .map(
            delivery ->
                isTimely(delivery, open, now)
                    ? new NumberedEvent(
                        delivery, next.merge(delivery.period().value(), 1L, Long::sum))
                    : new NumberedEvent(delivery, 0))
        .toList();
  }

  private static boolean isTimely(
      RelayedEvent delivery, Map<PeriodId, Optional<Instant>> open, Instant now) {
    Optional<Instant> closes = open.get(delivery.period());
    return closes != null
        && (delivery.change().arrival() == Arrival.ANY
            || closes.filter(end -> !now.isBefore(end)).isEmpty());
  }

  /** Takes so many numbers of each period; answers the last that was taken before. */
  private Map<Long, Long> reserve(Map<Long, Long> counts) {
    var before = new HashMap<Long, Long>();
    if (counts.isEmpty()) {
      return before;
    }
    jdbc.sql(
            """
            insert into relay (period_id, committed, relayed)
            select period_id, count, 0
            from unnest(:periods::bigint[], :counts::bigint[]) as taken (period_id, count)
            order by period_id
            on conflict (period_id) do update set committed = relay.committed + excluded.committed
            returning period_id, committed
            """)
        .param("periods", counts.keySet().toArray(Long[]::new))
        .param("counts", counts.values().toArray(Long[]::new))
        .query(
            row -> {
              long period = row.getLong("period_id");
              before.put(
                  period, row.getLong("committed") - Objects.requireNonNull(counts.get(period)));
            });
    return before;
  }

  /**
   * What became of what was committed, as far as it is known by now: what was not relayed yet is
   * accepted.
   */
  public List<Decision> decisions(List<Commit> commits) {
    Map<Key, Kept> found =
        rows.find(
            commits.stream()
                .filter(commit -> commit.result().isKept())
                .map(commit -> Key.of(commit.delivery()))
                .toList());
    return commits.stream()
        .map(commit -> decision(commit, found.get(Key.of(commit.delivery()))))
        .toList();
  }

  /** What became of the events that were committed before: as repeats, or conflicts. */
  public List<Optional<Decision>> before(List<RelayedEvent> deliveries) {
    Map<Key, Kept> found = rows.find(deliveries.stream().map(Key::of).toList());
    return deliveries.stream()
        .map(
            delivery ->
                Optional.ofNullable(found.get(Key.of(delivery)))
                    .map(
                        kept ->
                            decision(new Commit(delivery, result(kept, delivery.change())), kept)))
        .toList();
  }

  private static Decision decision(Commit commit, @Nullable Kept kept) {
    Instant occurredAt = Objects.requireNonNull(commit.delivery().change().occurredAt());
    return switch (commit.result()) {
      case WRITTEN -> Objects.requireNonNull(kept).decision(false);
      case REPEATED -> Objects.requireNonNull(kept).decision(true);
      case CONFLICTING -> new Decision(Verdict.CONFLICT, 0, 0, occurredAt, null);
      case LATE -> Decision.late(occurredAt);
    };
  }
}
