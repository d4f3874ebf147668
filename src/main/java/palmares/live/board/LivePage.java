package palmares.live.board;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a query of a live board, read in one atomic step.
 *
 * @param asOf when it was read, by the Redis server's clock; in a sandbox by the sandbox's
 * @param members how many members have a rank
 * @param lines in the board's order
 * @param end the position of the last line; null if there is no line
 */
public record LivePage(
    Version version, Instant asOf, long members, List<LiveLine> lines, @Nullable Position end) {
  /**
   * The state of a live board. Two answers with the same version saw the same lines.
   *
   * @param sealed whether nothing changes the board any more
   * @param events how many events it has decided
   * @param points the sum of its members' points, which distinguishes rebuilt boards
   * @param exclusions the number of its list of exclusions
   */
  public record Version(boolean sealed, long events, long points, String exclusions) {}

  /**
   * A position in a live board's order, which need not hold a line any more.
   *
   * @param score as Redis formats it
   * @param entry the ZSET's entry
   */
  public record Position(String score, String entry) {}

  public static LivePage empty(Instant asOf) {
    return new LivePage(new Version(false, 0, 0, "0"), asOf, 0, List.of(), null);
  }
}
