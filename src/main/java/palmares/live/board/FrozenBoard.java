package palmares.live.board;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.platform.redis.KeyScan;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.MemberScore;

/** Reads a sealed board page by page: nothing moves any more, so that places are stable. */
@Component
public class FrozenBoard {
  private final KeyScan pages;

  FrozenBoard(KeyScan pages) {
    this.pages = pages;
  }

  /**
   * The lines from one place to another, the best first; those of an adopted board in the order of
   * their scores.
   *
   * @param from the first place, from 0
   * @param count how many at the most
   */
  public List<MemberScore> fromTop(Period period, Board board, long from, int count) {
    if (board.adoption() != null) {
      return adopted(period, board, from, count);
    }
    Layout layout = board.layout(period.slot());
    return pages.fromTop(LiveBoards.keys(period).lines(), from, count).stream()
        .map(line -> layout.holding(LiveBoards.text(line.getValue()), line.getScore()))
        .toList();
  }

  /**
   * @throws Unadoptable if a line cannot be read, which the seal had read
   */
  private List<MemberScore> adopted(Period period, Board board, long from, int count) {
    String key = AdoptedKeys.of(period, board).lines();
    var lines = new AdoptedLines(period, board);
    var read =
        pages.fromTop(AdoptedKeys.bytes(key), from, count).stream()
            .flatMap(line -> lines.read(line.getValue(), line.getScore()).stream())
            .toList();
    lines.requireRead(key);
    return read;
  }
}
