package palmares.rules.board;

/**
 * The text that a board was read from: what a period closes under is this, whatever becomes of the
 * file.
 *
 * @param text the whole file
 * @param hash SHA-256 of its UTF-8 bytes, 64 hexadecimal digits
 */
public record BoardSource(String text, String hash) {

  public static BoardSource of(String text) {
    return new BoardSource(text, Sha256.of(text));
  }
}
