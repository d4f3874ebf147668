package palmares.live;

import io.lettuce.core.ScoredValue;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.board.PackedScore;
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
  public List<FrozenLine> slice(Period period, Board board, long from, int count) {
    PackedScore layout = board.layout(period.slot());
    List<ScoredValue<byte[]>> scored =
        redis.command(
            commands ->
                commands.zrangeWithScores(LiveBoards.keys(period).lines(), from, from + count - 1));
    return scored.stream().map(line -> line(line, layout)).toList();
  }

  private static FrozenLine line(ScoredValue<byte[]> line, PackedScore layout) {
    return new FrozenLine(
        LiveBoards.text(line.getValue()),
        layout.points(line.getScore()),
        layout.reachedAt(line.getScore()));
  }
}
