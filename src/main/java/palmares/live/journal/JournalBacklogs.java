package palmares.live.journal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveJournal.BoardProgress;
import palmares.live.journal.Journal.Position;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;

/** Finds journals that are not drained, and reports their number and age as metrics per board. */
@Component
class JournalBacklogs {
  private final LiveJournal live;
  private final Clock clock;
  private final MultiGauge entries;
  private final MultiGauge age;
  private List<Period> known = List.of();
  private Map<PeriodId, Oldest> oldest = Map.of();

  JournalBacklogs(LiveJournal live, Clock clock, MeterRegistry metrics) {
    this.live = live;
    this.clock = clock;
    this.entries =
        MultiGauge.builder("palmares.journal.backlog")
            .description("events that Redis has decided and PostgreSQL does not have yet")
            .baseUnit("events")
            .register(metrics);
    this.age =
        MultiGauge.builder("palmares.journal.backlog.age")
            .description("how long ago the oldest of them was first seen")
            .baseUnit("seconds")
            .register(metrics);
  }

  /**
   * The events of a live journal that PostgreSQL does not have yet.
   *
   * @param events how many; at least 1
   * @param first the number of the oldest
   */
  record JournalBacklog(Period period, long events, long first) {}

  /** The oldest entry of a journal, and when it was first seen as the oldest. */
  private record Oldest(long entry, Instant since) {}

  /**
   * The backlog of a board in all its open periods.
   *
   * @param since when its oldest entry was first seen; the latest time if there is none
   */
  private record BoardBacklog(long entries, Instant since) {
    static final BoardBacklog NONE = new BoardBacklog(0, Instant.MAX);

    BoardBacklog and(BoardBacklog other) {
      return new BoardBacklog(
          entries + other.entries, since.isBefore(other.since) ? since : other.since);
    }

    /** Its age grows even if the drain hangs, and never looks again. */
    double ageSeconds(Instant now) {
      return entries == 0 ? 0 : Duration.between(since, now).toMillis() / 1e3;
    }
  }

  /**
   * Finds those of the open periods whose journals PostgreSQL does not have yet.
   *
   * @param boards the live boards, in the order of the periods; those that Redis does not reach are
   *     not found
   */
  List<JournalBacklog> find(
      List<Period> open, Map<PeriodId, Position> positions, List<Optional<BoardProgress>> boards) {
    known = open;
    return find(boards, period -> positions.getOrDefault(period.id(), Position.NONE).last());
  }

  /** Finds the backlogs of the same periods as before, while PostgreSQL does not answer. */
  void refresh() {
    List<BoardProgress> boards = live.progress(known);
    var drained = new HashMap<PeriodId, Long>();
    for (int i = 0; i < known.size(); i++) {
      drained.put(known.get(i).id(), boards.get(i).drained());
    }
    find(
        boards.stream().map(Optional::of).toList(),
        period -> drained.getOrDefault(period.id(), 0L));
  }

  private List<JournalBacklog> find(
      List<Optional<BoardProgress>> boards, ToLongFunction<Period> drained) {
    var backlogs = new ArrayList<JournalBacklog>();
    for (int i = 0; i < known.size(); i++) {
      Period period = known.get(i);
      long last = drained.applyAsLong(period);
      boards
          .get(i)
          .filter(board -> board.decided() > last && !board.isRebuilding())
          .ifPresent(
              board -> backlogs.add(new JournalBacklog(period, board.decided() - last, last + 1)));
    }
    report(backlogs, clock.instant());
    return backlogs;
  }

  private void report(List<JournalBacklog> backlogs, Instant now) {
    var seen = new HashMap<PeriodId, Oldest>();
    var boards = new HashMap<BoardId, BoardBacklog>();
    known.forEach(period -> boards.put(period.board(), BoardBacklog.NONE));
    for (JournalBacklog backlog : backlogs) {
      Period period = backlog.period();
      Oldest before = oldest.get(period.id());
      Oldest first =
          before != null && before.entry() == backlog.first()
              ? before
              : new Oldest(backlog.first(), now);
      seen.put(period.id(), first);
      boards.merge(
          period.board(), new BoardBacklog(backlog.events(), first.since()), BoardBacklog::and);
    }
    oldest = seen;
    register(boards);
  }

  private void register(Map<BoardId, BoardBacklog> boards) {
    entries.register(
        boards.entrySet().stream()
            .<Row<?>>map(board -> Row.of(tags(board.getKey()), board.getValue().entries()))
            .toList(),
        true);
    age.register(
        boards.entrySet().stream()
            .<Row<?>>map(
                board ->
                    Row.of(
                        tags(board.getKey()),
                        board.getValue(),
                        backlog -> backlog.ageSeconds(clock.instant())))
            .toList(),
        true);
  }

  private static Tags tags(BoardId board) {
    return Tags.of("board", board.value());
  }
}
