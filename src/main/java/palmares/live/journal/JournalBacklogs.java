package palmares.live.journal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import palmares.live.board.JournalBacklog;
import palmares.live.board.LiveJournal;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;

/** How far PostgreSQL is behind the live journals, told as metrics of each board. */
@Component
class JournalBacklogs {
  private final LiveJournal live;
  private final Clock clock;
  private final MultiGauge entries;
  private final MultiGauge age;
  private List<Period> known = List.of();
  private Map<PeriodId, Seen> oldest = Map.of();

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
            .description("for how long the oldest of them has been seen to wait")
            .baseUnit("seconds")
            .register(metrics);
  }

  /** The oldest entry of a journal, and since when it is that. */
  private record Seen(long entry, Instant since) {}

  /** What waits for PostgreSQL on a board, in all its open periods. */
  private record Waiting(long entries, Duration age) {
    static final Waiting NOTHING = new Waiting(0, Duration.ZERO);

    Waiting and(Waiting other) {
      return new Waiting(entries + other.entries, age.compareTo(other.age) > 0 ? age : other.age);
    }
  }

  /** Those of the open periods whose journals hold entries. */
  List<JournalBacklog> look(List<Period> open) {
    known = open;
    return lookAgain();
  }

  /** Looks at the same periods as before. */
  List<JournalBacklog> lookAgain() {
    List<JournalBacklog> backlogs = live.backlogs(known);
    tell(backlogs, clock.instant());
    return backlogs;
  }

  private void tell(List<JournalBacklog> backlogs, Instant now) {
    var seen = new HashMap<PeriodId, Seen>();
    var boards = new HashMap<BoardId, Waiting>();
    known.forEach(period -> boards.put(period.board(), Waiting.NOTHING));
    for (JournalBacklog backlog : backlogs) {
      Period period = backlog.period();
      Seen before = oldest.get(period.id());
      Seen first =
          before != null && before.entry() == backlog.first()
              ? before
              : new Seen(backlog.first(), now);
      seen.put(period.id(), first);
      boards.merge(
          period.board(),
          new Waiting(backlog.entries(), Duration.between(first.since(), now)),
          Waiting::and);
    }
    oldest = seen;
    register(boards);
  }

  private void register(Map<BoardId, Waiting> boards) {
    entries.register(
        boards.entrySet().stream()
            .map(board -> row(board.getKey(), board.getValue().entries()))
            .toList(),
        true);
    age.register(
        boards.entrySet().stream()
            .map(board -> row(board.getKey(), board.getValue().age().toMillis() / 1e3))
            .toList(),
        true);
  }

  private static Row<Number> row(BoardId board, Number value) {
    return Row.of(Tags.of("board", board.value()), value);
  }
}
