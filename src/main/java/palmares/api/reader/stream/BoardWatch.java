package palmares.api.reader.stream;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.api.reader.BoardView;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.api.reader.lines.PeriodBoard.Version;
import palmares.period.Period;
import tools.jackson.databind.json.JsonMapper;

/** A period's board and all who watch it: one look serves them all. Belongs to one thread. */
final class BoardWatch {
  private final JsonMapper json;
  private final Set<BoardWatcher> watchers = new LinkedHashSet<>();
  private Period period;
  private @Nullable Version seen;

  BoardWatch(Period period, JsonMapper json) {
    this.period = period;
    this.json = json;
  }

  Set<BoardWatcher> watchers() {
    return watchers;
  }

  Period period() {
    return period;
  }

  /** The period's row has changed. */
  void renew(Period now) {
    period = now;
  }

  /** Whether there is nothing new on the board, and nobody new who watches it. */
  boolean isUpToDate(Version version) {
    return version.equals(seen) && watchers.stream().noneMatch(BoardWatcher::isNew);
  }

  /**
   * Tells the lines to everybody to whom they are news, and for the last time if they are final.
   */
  void tell(PeriodBoard board) {
    Section top = board.top(watchers.stream().mapToInt(BoardWatcher::count).max().orElse(1));
    boolean over = top.version().over();
    Map<Integer, byte[]> streamMessage = new HashMap<>();
    for (BoardWatcher watcher : watchers) {
      Section own = cut(top, watcher.count());
      if (watcher.learns(own.lines()) || over) {
        // Made once for each number of lines, however many watch so many.
        watcher.tell(streamMessage.computeIfAbsent(watcher.count(), count -> news(own)));
      }
      if (over) {
        watcher.end();
      }
    }
    seen = top.version();
  }

  private byte[] news(Section top) {
    String text = json.writeValueAsString(BoardView.of(period, top));
    return top.version().over()
        ? StreamMessage.last(text)
        : StreamMessage.top(top.version().word(), text);
  }

  private static Section cut(Section top, int count) {
    List<LineView> lines = top.lines();
    return lines.size() <= count
        ? top
        : new Section(top.version(), top.members(), lines.subList(0, count), top.end());
  }
}
