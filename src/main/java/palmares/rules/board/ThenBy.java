package palmares.rules.board;

/**
 * A second key, which stands between points and time: for example fewer attempts.
 *
 * @param name what people call it; 1 to 40 lower-case letters, digits and hyphens
 * @param max the most that a member can hold in a period; at least 1
 * @param fewestWin whether fewer stand before more
 */
public record ThenBy(String name, long max, boolean fewestWin) {}
