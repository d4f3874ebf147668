package palmares.rules.board;

import java.util.Optional;
import java.util.regex.Pattern;
import palmares.platform.text.InvalidValue;

/**
 * The id of a board, which is the name of its file in {@code jobs/} without {@code .yml}.
 *
 * @param value 1 to 40 lower-case letters, digits and hyphens, beginning with a letter
 */
public record BoardId(String value) {
  /** A regular expression for ids. */
  public static final String REGEX = "[a-z][a-z0-9-]{0,39}";

  private static final Pattern PATTERN = Pattern.compile(REGEX);

  /**
   * @throws InvalidValue if the id is malformed
   */
  public BoardId {
    if (!PATTERN.matcher(value).matches()) {
      throw new InvalidValue(new ValueSentences.NotABoard(value));
    }
  }

  /** The id of a text; empty if the text is none. */
  public static Optional<BoardId> parse(String text) {
    return PATTERN.matcher(text).matches() ? Optional.of(new BoardId(text)) : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}
