package palmares.live.journal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveJournal;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;

/**
 * Logs and counts open periods whose live board and journal in PostgreSQL disagree, and quarantined
 * entries. Each is logged once; the counts are metrics per board.
 */
@Component
class JournalFaults {
  private static final Logger LOG = LoggerFactory.getLogger(JournalFaults.class);

  private final LiveJournal live;
  private final Journal journal;
  private final Quarantine quarantine;
  private final MultiGauge faulty;
  private final MultiGauge quarantined;
  private final Map<PeriodId, String> notDrained = new HashMap<>();
  private Map<PeriodId, String> behind = Map.of();
  private Map<BoardId, Long> undecided = Map.of();
  private List<Period> known = List.of();

  JournalFaults(LiveJournal live, Journal journal, Quarantine quarantine, MeterRegistry metrics) {
    this.live = live;
    this.journal = journal;
    this.quarantine = quarantine;
    this.faulty =
        MultiGauge.builder("palmares.journal.faulty")
            .description("open periods whose live board and journal in PostgreSQL disagree")
            .baseUnit("periods")
            .register(metrics);
    this.quarantined =
        MultiGauge.builder("palmares.journal.quarantined")
            .description("journal entries that PostgreSQL refused and nobody has decided on")
            .baseUnit("entries")
            .register(metrics);
  }

  /** Finds the open periods whose live boards have decided less than PostgreSQL has of them. */
  void compare(List<Period> open) {
    known = open;
    // Read before the live boards, which have decided at least as many events if none is lost.
    Map<PeriodId, Long> positions = journal.positions(open.stream().map(Period::id).toList());
    var drained = open.stream().filter(period -> positions.containsKey(period.id())).toList();
    List<Long> decided = live.decided(drained);
    var found = new HashMap<PeriodId, String>();
    for (int i = 0; i < drained.size(); i++) {
      Period period = drained.get(i);
      try {
        Journal.requireNotBehind(period, positions.getOrDefault(period.id(), 0L), decided.get(i));
      } catch (JournalGap gap) {
        String fault = String.valueOf(gap.getMessage());
        found.put(period.id(), fault);
        if (!behind.containsKey(period.id())) {
          LOG.error("live board behind its journal: {}", fault);
        }
      }
    }
    behind = found;
  }

  void drained(Period period) {
    notDrained.remove(period.id());
  }

  void notDrained(Period period, RuntimeException e) {
    String fault = String.valueOf(e.getMessage());
    if (!fault.equals(notDrained.put(period.id(), fault))) {
      LOG.error("journal not drained: {}", fault);
    }
  }

  /** Sets the metrics, and logs new quarantined entries. */
  void report() {
    notDrained.keySet().retainAll(known.stream().map(Period::id).toList());
    Map<BoardId, Long> now = quarantine.undecided();
    now.forEach(
        (board, entries) -> {
          if (entries > undecided.getOrDefault(board, 0L)) {
            LOG.error(
                "journal entries quarantined board={} undecided={}: nobody is paid for their"
                    + " periods until each is released or discarded; 'palmares journal quarantine'"
                    + " lists them",
                board,
                entries);
          }
        });
    undecided = now;
    quarantined.register(boards(board -> undecided.getOrDefault(board, 0L)), true);
    Map<BoardId, Long> faults =
        known.stream()
            .filter(p -> behind.containsKey(p.id()) || notDrained.containsKey(p.id()))
            .collect(Collectors.groupingBy(Period::board, Collectors.counting()));
    faulty.register(boards(board -> faults.getOrDefault(board, 0L)), true);
  }

  private List<Row<?>> boards(Function<BoardId, Long> value) {
    var boards = new HashSet<>(undecided.keySet());
    known.forEach(period -> boards.add(period.board()));
    return boards.stream()
        .<Row<?>>map(board -> Row.of(Tags.of("board", board.value()), value.apply(board)))
        .toList();
  }
}
