package palmares.bulk;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One of the pieces that members are cut into, by what PostgreSQL's hash makes of their ids.
 *
 * @param number from 0 on
 * @param of how many there are
 */
public record Piece(int number, int of) {
  /** All members. */
  public static final Piece WHOLE = new Piece(0, 1);

  /** The pieces that are all members together. */
  public static List<Piece> all(int of) {
    return IntStream.range(0, of).mapToObj(number -> new Piece(number, of)).toList();
  }

  /**
   * The SQL condition that a member belongs to it.
   *
   * @param member the SQL of the member's id
   */
  public String holds(String member) {
    if (of == 1) {
      return "true";
    }
    // Two bounds that look unrelated: the planner takes a range of what it knows nothing of, and a
    // remainder too, for something rare.
    String hash = "hashtext(" + member + ")";
    String from = "(%s >= %d) is true".formatted(hash, bound(number));
    String below = "(%s < %d) is true".formatted(hash, bound(number + 1));
    if (number == 0) {
      return below;
    }
    return number == of - 1 ? from : from + " and " + below;
  }

  private long bound(int n) {
    return Integer.MIN_VALUE + ((long) n << Integer.SIZE) / of;
  }
}
