package palmares.api.reader.stream;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Version;
import palmares.api.reader.lines.PeriodBoards;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.threads.Outages;
import tools.jackson.databind.json.JsonMapper;

/** Reads the watched boards in rounds. Belongs to one thread. */
final class StreamRounds {
  private static final Logger LOG = LoggerFactory.getLogger(StreamRounds.class);

  private final PeriodBoards boards;
  private final Periods periods;
  private final JsonMapper json;
  private final Map<PeriodId, BoardWatch> watches = new LinkedHashMap<>();
  private boolean troubled;

  StreamRounds(PeriodBoards boards, Periods periods, JsonMapper json) {
    this.boards = boards;
    this.periods = periods;
    this.json = json;
  }

  /** Tells a new watcher at once what it can be told; if that fails, the next round does. */
  void join(Period period, BoardWatcher watcher) {
    BoardWatch watch = watches.computeIfAbsent(period.id(), id -> new BoardWatch(period, json));
    watch.watchers().add(watcher);
    tryToLook(watch);
  }

  void leave(Period period, BoardWatcher watcher) {
    watches.computeIfPresent(
        period.id(),
        (id, watch) -> {
          watch.watchers().remove(watcher);
          return watch.watchers().isEmpty() ? null : watch;
        });
  }

  /**
   * Looks at every watched board. One that cannot be read delays no other; its watchers hear
   * heartbeats until it can.
   *
   * @throws RuntimeException if a server does not answer
   */
  void look() {
    boolean failed = false;
    Throwable outage = null;
    for (BoardWatch watch : List.copyOf(watches.values())) {
      Throwable failure = tryToLook(watch);
      if (Outages.server(failure).isPresent()) {
        outage = failure;
      } else if (failure != null) {
        if (!troubled && !failed) {
          LOG.warn(
              "a watched board cannot be read, which is tried again {}: {}",
              watch.period().label(),
              Outages.reason(failure));
          LOG.debug("a watched board cannot be read", failure);
        }
        failed = true;
      }
    }
    troubled = failed;
    if (outage != null) {
      throw new ServerUnavailable(outage);
    }
  }

  /** Some boards cannot be read now. */
  private static final class ServerUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerUnavailable(Throwable cause) {
      super(cause);
    }
  }

  private @Nullable Throwable tryToLook(BoardWatch watch) {
    try {
      look(watch);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Tells those who have heard nothing that they are still connected. */
  void beat() {
    watches.values().forEach(watch -> watch.watchers().forEach(BoardWatcher::beat));
  }

  /** Sends everybody away, to come again elsewhere. */
  void end() {
    watches.values().forEach(watch -> watch.watchers().forEach(BoardWatcher::end));
    watches.clear();
  }

  private void look(BoardWatch watch) {
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
