package palmares.reader.stream;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.reader.BoardView;
import palmares.reader.lines.LineView;
import palmares.reader.lines.PeriodBoard;
import palmares.reader.lines.PeriodBoard.Section;
import palmares.reader.lines.PeriodBoard.Version;
import tools.jackson.databind.json.JsonMapper;

/** A period's board and all who watch it: one look serves them all. Belongs to one thread. */
final class Watch {
  private final JsonMapper json;
  private final Set<Watcher> watchers = new LinkedHashSet<>();
  private Period period;
  private @Nullable Version seen;

  Watch(Period period, JsonMapper json) {
    this.period = period;
    this.json = json;
  }

  Set<Watcher> watchers() {
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
    return version.equals(seen) && watchers.stream().noneMatch(Watcher::isNew);
  }

  /**
   * Tells the lines to everybody to whom they are news, and for the last time if they are final.
   */
  void tell(PeriodBoard board) {
    Section top = board.top(watchers.stream().mapToInt(Watcher::count).max().orElse(1));
    boolean over = top.version().over();
    Map<Integer, byte[]> news = new HashMap<>();
    for (Watcher watcher : watchers) {
      Section own = cut(top, watcher.count());
      if (watcher.learns(own.lines()) || over) {
        // Made once for each number of lines, however many watch so many.
        watcher.tell(news.computeIfAbsent(watcher.count(), count -> news(own)));
      }
      if (over) {
        watcher.end();
      }
    }
    seen = top.version();
  }

  private byte[] news(Section top) {
    String text = json.writeValueAsString(BoardView.of(period, top));
    return top.version().over() ? News.last(text) : News.top(top.version().word(), text);
  }

  private static Section cut(Section top, int count) {
    List<LineView> lines = top.lines();
    return lines.size() <= count
        ? top
        : new Section(top.version(), top.members(), lines.subList(0, count), top.end());
  }
}
