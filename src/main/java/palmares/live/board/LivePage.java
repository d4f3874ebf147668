package palmares.live.board;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a live board saw.
 *
 * @param members how many have a rank on the board
 * @param lines in the board's order
 * @param end where the last line stands; null if there is no line
 */
public record LivePage(
    LiveVersion version, long members, List<LiveLine> lines, @Nullable LivePosition end) {

  /** What a board shows that nobody stands on yet. */
  public static LivePage empty() {
    return new LivePage(new LiveVersion(false, 0, 0, "0"), 0, List.of(), null);
  }
}
