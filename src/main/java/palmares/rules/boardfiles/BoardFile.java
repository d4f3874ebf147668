package palmares.rules.boardfiles;

/**
 * The name and text of a board file.
 *
 * @param name without its folder, such as {@code invites.yml}
 * @param text the whole text
 */
public record BoardFile(String name, String text) {}
