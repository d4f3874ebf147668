package palmares.live;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.board.Layout;
import palmares.board.MemberId;
import palmares.board.RankMethod;
import palmares.period.Period;

/** Questions to live boards; each is answered in one look, in O(log n) and the lines asked for. */
@Component
public class LiveQueries {
  private final Redis redis;

  LiveQueries(Redis redis) {
    this.redis = redis;
  }

  /**
   * The best lines.
   *
   * @param count how many at the most; at least 1
   */
  public List<LiveLine> top(Period period, Board board, int count) {
    return page(period, board, "", 0, count - 1);
  }

  /**
   * A member's line and its neighbours; empty if the member is not on the board.
   *
   * @param neighbours how many above and how many below, at the most
   */
  public List<LiveLine> around(Period period, Board board, MemberId member, int neighbours) {
    return page(period, board, member.value(), neighbours, neighbours);
  }

  private List<LiveLine> page(Period period, Board board, String member, int from, int to) {
    LiveKeys keys = LiveBoards.keys(period);
    Layout layout = board.layout(period.slot());
    List<byte[]> page =
        redis.run(
            LuaScript.PAGE,
            new Redis.Call(
                new byte[][] {keys.lines(), keys.levels(), keys.places()},
                LiveBoards.arguments(
                    member,
                    Integer.toString(from),
                    Integer.toString(to),
                    board.ranks().word(),
                    Long.toString(layout.unit()),
                    layout.scale().wide() ? "1" : "0")));
    return page.isEmpty() ? List.of() : lines(page, layout, board.ranks());
  }

  private static List<LiveLine> lines(List<byte[]> page, Layout layout, RankMethod ranks) {
    long place = Long.parseLong(LiveBoards.text(page.get(0)));
    long rank = Long.parseLong(LiveBoards.text(page.get(1))) + 1;
    var lines = new ArrayList<LiveLine>(page.size() / 2);
    long above = -1;
    for (int i = 2; i < page.size(); i += 2) {
      double score = Double.parseDouble(LiveBoards.text(page.get(i + 1)));
      long level = layout.level(score);
      place++;
      if (above >= 0) {
        rank = next(ranks, rank, place, level == above);
      }
      above = level;
      lines.add(new LiveLine(place, rank, layout.holding(LiveBoards.text(page.get(i)), score)));
    }
    return lines;
  }

  private static long next(RankMethod ranks, long rank, long place, boolean tied) {
    return switch (ranks) {
      case UNIQUE -> place;
      case COMPETITION -> tied ? rank : place;
      case DENSE -> tied ? rank : rank + 1;
    };
  }
}
