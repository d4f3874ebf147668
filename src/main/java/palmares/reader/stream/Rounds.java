package palmares.reader.stream;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.reader.lines.PeriodBoard;
import palmares.reader.lines.PeriodBoard.Version;
import palmares.reader.lines.PeriodBoards;
import tools.jackson.databind.json.JsonMapper;

/** The boards that are watched, and the looks at them. Belongs to one thread. */
final class Rounds {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

  private final PeriodBoards boards;
  private final Periods periods;
  private final JsonMapper json;
  private final Map<PeriodId, Watch> watches = new LinkedHashMap<>();
  private boolean troubled;

  Rounds(PeriodBoards boards, Periods periods, JsonMapper json) {
    this.boards = boards;
    this.periods = periods;
    this.json = json;
  }

  boolean isIdle() {
    return watches.isEmpty();
  }

  void join(Period period, Watcher watcher) {
    Watch watch = watches.computeIfAbsent(period.id(), id -> new Watch(period, json));
    watch.watchers().add(watcher);
    look(List.of(watch));
  }

  void leave(Period period, Watcher watcher) {
    watches.computeIfPresent(
        period.id(),
        (id, watch) -> {
          watch.watchers().remove(watcher);
          return watch.watchers().isEmpty() ? null : watch;
        });
  }

  /** Looks at every watched board. */
  void look() {
    look(List.copyOf(watches.values()));
  }

  void beat() {
    watches.values().forEach(watch -> watch.watchers().forEach(Watcher::beat));
  }

  /** Sends everybody away, to come again elsewhere. */
  void end() {
    watches.values().forEach(watch -> watch.watchers().forEach(Watcher::end));
    watches.clear();
  }

  /** A look that fails is made again in the next round: watchers wait, and hear heartbeats. */
  private void look(Collection<Watch> some) {
    boolean failed = false;
    for (Watch watch : some) {
      try {
        look(watch);
      } catch (RuntimeException e) {
        if (!troubled && !failed) {
          LOG.warn("watched boards cannot be read, which is tried again: {}", e.getMessage());
        }
        failed = true;
      }
    }
    troubled = failed;
  }

  private void look(Watch watch) {
    PeriodBoard board = boards.of(watch.period());
    Version version;
    try {
      version = board.version();
    } catch (RuntimeException e) {
      // It may have been settled, and have left Redis, since its row was read.
      watch.renew(periods.get(watch.period().id()));
      throw e;
    }
    if (version.over()) {
      watch.renew(periods.get(watch.period().id()));
      watch.tell(boards.of(watch.period()));
      watches.remove(watch.period().id());
    } else if (!watch.isUpToDate(version)) {
      watch.tell(board);
    }
  }
}
