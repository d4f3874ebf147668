package palmares.live;

import io.lettuce.core.ScoredValue;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.board.Layout;
import palmares.period.Period;

/** Reads a sealed board, slice by slice: nothing moves any more, so that indexes are stable. */
@Component
public class FrozenBoard {
  private final Redis redis;

  FrozenBoard(Redis redis) {
    this.redis = redis;
  }

  /**
   * The lines from one index to another, in no order that matters.
   *
   * @param from the first index, from 0
   * @param count how many at the most
   */
  public List<Holding> slice(Period period, Board board, long from, int count) {
    Layout layout = board.layout(period.slot());
    List<ScoredValue<byte[]>> scored =
        redis.command(
            commands ->
                commands.zrangeWithScores(LiveBoards.keys(period).lines(), from, from + count - 1));
    return scored.stream()
        .map(line -> layout.holding(LiveBoards.text(line.getValue()), line.getScore()))
        .toList();
  }
}
