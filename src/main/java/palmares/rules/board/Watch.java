package palmares.rules.board;

import java.util.List;

/**
 * Says which moves of members on an open board become facts for other systems.
 *
 * @param tops how many first places a member enters or leaves; each from 1 to {@link #MAX_PLACES},
 *     ascending
 * @param points that a member reaches, or holds no longer; where the fewest win, at most that many;
 *     ascending
 * @param passed whether members of the largest top get to know who has passed them
 */
public record Watch(List<Long> tops, List<Long> points, boolean passed) {
  /** The most places of a board that are read, and the most members who reach watched points. */
  public static final int MAX_PLACES = 1_000;

  public Watch {
    tops = List.copyOf(tops);
    points = List.copyOf(points);
  }

  /** The largest top; 0 if there is none. */
  public int largestTop() {
    return tops.isEmpty() ? 0 : Math.toIntExact(tops.get(tops.size() - 1));
  }

  /** How many places of the board must be read. */
  public int places() {
    return points.isEmpty() ? largestTop() : MAX_PLACES;
  }
}
