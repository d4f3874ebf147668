package palmares.cli;

import java.util.Optional;
import palmares.cli.terminal.UserError;
import palmares.platform.form.Suggestion;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;

/** Checks arguments of commands that use board files. */
final class Arguments {
  private Arguments() {}

  /**
   * Finds a board that has a file.
   *
   * @throws UserError if there is none of that name
   */
  static Board inForce(Catalogue boards, String word) {
    return id(word).flatMap(boards::find).orElseThrow(() -> unknown(boards, word));
  }

  /**
   * Checks a number.
   *
   * @throws UserError if it is less than the minimum
   */
  static int atLeast(int minimum, String option, int number) {
    if (number < minimum) {
      throw UserError.badUsage("%s is %d or more, not %d", option, minimum, number);
    }
    return number;
  }

  private static Optional<BoardId> id(String word) {
    try {
      return Optional.of(new BoardId(word));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static UserError unknown(Catalogue boards, String word) {
    var known = boards.all().stream().map(board -> board.id().value()).toList();
    return UserError.badInput(
        "there is no board '%s'%s; the boards are %s",
        word, Suggestion.hint(word, known), String.join(", ", known));
  }
}
