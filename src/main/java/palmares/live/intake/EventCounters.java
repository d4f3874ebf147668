package palmares.live.intake;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.rules.board.BoardId;

/** Counts the outcomes of events as metrics, those on several boards once for each. */
@Component
class EventCounters {
  private static final String NONE = "none";

  private final MeterRegistry metrics;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

  EventCounters(MeterRegistry metrics) {
    this.metrics = metrics;
  }

  /** What is counted together: a board, null for none, and an outcome on it. */
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
