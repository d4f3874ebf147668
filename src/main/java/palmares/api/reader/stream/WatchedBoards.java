package palmares.api.reader.stream;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.api.reader.BoardView;
import palmares.api.reader.PathLookup;
import palmares.api.reader.PathLookup.Timing;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.api.reader.lines.PeriodBoard.Version;
import palmares.api.reader.lines.PeriodBoards;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.threads.Outages;
import tools.jackson.databind.json.JsonMapper;

/** The boards that have watchers. Used by one thread. */
final class WatchedBoards {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedBoards.class);

  private final PeriodBoards boards;
  private final Periods periods;
  private final PathLookup lookup;
  private final JsonMapper json;
  private final Map<PeriodId, WatchedBoard> watches = new LinkedHashMap<>();
  private boolean failing;

  WatchedBoards(PeriodBoards boards, Periods periods, PathLookup lookup, JsonMapper json) {
    this.boards = boards;
    this.periods = periods;
    this.lookup = lookup;
    this.json = json;
  }

  /** Adds a watcher, and sends it the lines; if reading fails, the next round sends them. */
  void join(Period period, BoardWatcher watcher) {
    WatchedBoard watch = watches.computeIfAbsent(period.id(), id -> new WatchedBoard(period));
    watch.watchers().add(watcher);
    tryUpdate(watch);
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
   * Reads every watched board, and sends changes. If a board cannot be read, others go on, and its
   * watchers get heartbeats.
   *
   * @throws RuntimeException if PostgreSQL or Redis does not answer
   */
  void update() {
    boolean failed = false;
    Throwable outage = null;
    for (WatchedBoard watch : List.copyOf(watches.values())) {
      Throwable failure = tryUpdate(watch);
      if (Outages.server(failure).isPresent()) {
        outage = failure;
      } else if (failure != null) {
        if (!failing && !failed) {
          LOG.warn(
              "watched board {} cannot be read and is tried again: {}",
              watch.period().label(),
              Outages.reason(failure));
          LOG.debug("watched board cannot be read", failure);
        }
        failed = true;
      }
    }
    failing = failed;
    if (outage != null) {
      throw new ServerUnavailable(outage);
    }
  }

  /** PostgreSQL or Redis does not answer. */
  private static final class ServerUnavailable extends RuntimeException {
    ServerUnavailable(Throwable cause) {
      super(cause);
    }
  }

  private @Nullable Throwable tryUpdate(WatchedBoard watch) {
    try {
      update(watch);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  void sendHeartbeats() {
    watches.values().forEach(watch -> watch.watchers().forEach(BoardWatcher::sendHeartbeat));
  }

  /** Ends all streams; clients reconnect to another process. */
  void end() {
    watches.values().forEach(watch -> watch.watchers().forEach(BoardWatcher::end));
    watches.clear();
  }

  private void update(WatchedBoard watch) {
    PeriodBoard board = boards.of(watch.period());
    Version version;
    try {
      version = board.version();
    } catch (RuntimeException e) {
      // The period may have been settled, and its keys removed, since its row was read.
      watch.setPeriod(periods.get(watch.period().id()));
      throw e;
    }
    if (version.over()) {
      watch.setPeriod(periods.get(watch.period().id()));
      watch.send(boards.of(watch.period()));
      watches.remove(watch.period().id());
    } else if (!watch.isUpToDate(version)) {
      watch.send(board);
    }
  }

  /** A board and its watchers. It is read once for all of them. */
  private final class WatchedBoard {
    private final Set<BoardWatcher> watchers = new LinkedHashSet<>();
    private Period period;
    private @Nullable Version seen;

    WatchedBoard(Period period) {
      this.period = period;
    }

    Set<BoardWatcher> watchers() {
      return watchers;
    }

    Period period() {
      return period;
    }

    void setPeriod(Period current) {
      period = current;
    }

    /** Whether the board has not changed, and no watcher is new. */
    boolean isUpToDate(Version version) {
      return version.equals(seen) && watchers.stream().noneMatch(BoardWatcher::isNew);
    }

    /** Sends the lines to watchers whose lines changed, or to all if they are final. */
    void send(PeriodBoard board) {
      Section top = board.top(watchers.stream().mapToInt(BoardWatcher::count).max().orElse(1));
      Timing timing = lookup.timing(period); // before any watcher counts as updated
      boolean over = top.version().over();
      Map<Integer, byte[]> messages = new HashMap<>();
      for (BoardWatcher watcher : watchers) {
        Section own = cut(top, watcher.count());
        if (watcher.update(own.lines()) || over) {
          // Encoded once for all watchers of the same number of lines.
          watcher.send(messages.computeIfAbsent(watcher.count(), count -> message(own, timing)));
        }
        if (over) {
          watcher.end();
        }
      }
      seen = top.version();
    }

    private byte[] message(Section top, Timing timing) {
      String text = json.writeValueAsString(BoardView.of(period, timing, top));
      return top.version().over()
          ? BoardWatcher.lastMessage(text)
          : BoardWatcher.topMessage(top.version().word(), text);
    }

    private static Section cut(Section top, int count) {
      List<LineView> lines = top.lines();
      return lines.size() <= count
          ? top
          : new Section(
              top.version(), top.asOf(), top.members(), lines.subList(0, count), top.end());
    }
  }
}
