package palmares.rules.catalogue;

/**
 * A file as it was found.
 *
 * @param name without its folder: {@code invites.yml}
 * @param text the whole of it
 */
public record BoardFile(String name, String text) {}
