package palmares.live.board;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.RankMethod;

/** Reads what {@code page.lua} and {@code find.lua} answer. */
final class LiveAnswer {
  private static final int HEAD = 5;
  private static final int SINGLE = 5;

  private final List<byte[]> answer;
  private final Layout layout;
  private final RankMethod ranks;

  LiveAnswer(List<byte[]> answer, Board board, Period period) {
    this.answer = answer;
    this.layout = board.layout(period.slot());
    this.ranks = board.ranks();
  }

  static LiveVersion version(List<byte[]> answer) {
    return new LiveVersion(
        LiveBoards.text(answer.get(0)).equals("sealed"),
        number(answer, 1),
        number(answer, 2),
        LiveBoards.text(answer.get(HEAD - 1)));
  }

  /** Lines of which each stands below the one before. */
  LivePage neighbours() {
    var lines = new ArrayList<LiveLine>();
    for (int i = HEAD + 3; i < answer.size(); i += 2) {
      lines.add(
          lines.isEmpty()
              ? line(number(answer, HEAD), number(answer, HEAD + 1), number(answer, HEAD + 2), i)
              : below(lines.get(lines.size() - 1), i));
    }
    return page(lines);
  }

  /** Lines from all over the board. */
  LivePage singles() {
    var lines = new ArrayList<LiveLine>();
    for (int i = HEAD; i < answer.size(); i += SINGLE) {
      lines.add(line(number(answer, i), number(answer, i + 1), number(answer, i + 2), i + 3));
    }
    lines.sort(Comparator.comparing(LiveLine::ranked).reversed().thenComparing(LiveLine::place));
    return page(lines);
  }

  private LivePage page(List<LiveLine> lines) {
    int end = answer.size();
    return new LivePage(
        version(answer),
        number(answer, HEAD - 2),
        List.copyOf(lines),
        lines.isEmpty()
            ? null
            : new LivePosition(
                LiveBoards.text(answer.get(end - 1)), LiveBoards.text(answer.get(end - 2))));
  }

  /**
   * @param place counted from 0
   * @param ahead how many members stand ahead of it
   * @param ranked how many ranks are given before the line's; -1 if it has none
   * @param at where its entry and score are
   */
  private LiveLine line(long place, long ahead, long ranked, int at) {
    return new LiveLine(
        place + 1, ranked + 1, ahead, layout.holding(LiveBoards.text(answer.get(at)), score(at)));
  }

  private LiveLine below(LiveLine above, int at) {
    boolean tied = layout.level(score(at)) == layout.level(score(at - 2));
    if (tied && ranks != RankMethod.UNIQUE) {
      return line(above.place(), above.ahead(), above.rank() - 1, at);
    }
    long ranked = ranks == RankMethod.DENSE ? above.rank() : above.place();
    return line(above.place(), above.place(), ranked, at);
  }

  private double score(int at) {
    return Double.parseDouble(LiveBoards.text(answer.get(at + 1)));
  }

  private static long number(List<byte[]> answer, int at) {
    return Long.parseLong(LiveBoards.text(answer.get(at)));
  }
}
