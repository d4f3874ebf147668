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
    return of == 1
        ? "true"
        : "mod(hashtext(%s) & 2147483647, %d) = %d".formatted(member, of, number);
  }
}
