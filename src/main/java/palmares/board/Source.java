package palmares.board;

/**
 * The text that a board was read from: what a period closes under is this, whatever becomes of the
 * file.
 *
 * @param text the whole file
 * @param hash SHA-256 of its UTF-8 bytes, 64 hexadecimal digits
 */
public record Source(String text, String hash) {

  public static Source of(String text) {
    return new Source(text, Sha256.of(text));
  }
}
