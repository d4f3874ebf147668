package palmares.rules.board;

/**
 * A second key, which orders members with equal points before the tiebreak does: for example fewer
 * attempts.
 *
 * @param name 1 to 40 lower-case letters, digits and hyphens
 * @param max of a member in a period; at least 1
 * @param fewestWin whether fewer are better
 */
public record ThenBy(String name, long max, boolean fewestWin) {}
