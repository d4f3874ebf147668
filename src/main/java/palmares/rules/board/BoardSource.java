package palmares.rules.board;

/**
 * The text that a board was read from. A period closes under this text even if the file has
 * changed.
 *
 * @param text the whole file
 * @param hash SHA-256 of the UTF-8 bytes, as 64 hexadecimal digits
 */
public record BoardSource(String text, String hash) {

  public static BoardSource of(String text) {
    return new BoardSource(text, Sha256.of(text));
  }
}
