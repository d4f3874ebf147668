package palmares.cli;

import java.util.Optional;
import java.util.stream.Collectors;
import palmares.cli.terminal.UserError;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.platform.form.Suggestion;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;

/** Finds the boards and periods that arguments name. */
record ArgumentLookup(Catalogue boards, PeriodHistory history) {

  /**
   * A board that has a file.
   *
   * @throws UserError if there is none of that name
   */
  static Board inForce(Catalogue boards, String word) {
    return id(word).flatMap(boards::find).orElseThrow(() -> unknown(boards, word));
  }

  /**
   * A board that has a file, or had one when it had periods.
   *
   * @throws UserError if there never was one of that name
   */
  BoardId board(String word) {
    return id(word)
        .filter(id -> boards.find(id).isPresent() || history.knows(id))
        .orElseThrow(() -> unknown(boards, word));
  }

  /**
   * A period that is settled.
   *
   * @throws UserError if there is none of that name, or it is not settled
   */
  PeriodSummary settled(BoardId board, String word) {
    PeriodSummary period =
        name(word)
            .flatMap(name -> history.find(board, name))
            .orElseThrow(() -> unknownPeriod(board, word));
    if (period.settledAt() != null) {
      return period;
    }
    throw UserError.badInput(
        period.closesAt() == null
            ? "%s never closes, and so is never settled".formatted(period.label())
            : "%s is not settled yet: it is %s, and due at %s; 'palmares close %s' settles it then"
                .formatted(period.label(), period.state(), period.closesAt(), period.label()));
  }

  static Optional<PeriodName> name(String word) {
    try {
      return Optional.of(new PeriodName(word));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** What to say of a period that there is not. */
  UserError unknownPeriod(BoardId board, String word) {
    return UserError.badInput(
        "the board '%s' has no period '%s'%s%s"
            .formatted(
                board,
                word,
                boards
                    .find(board)
                    .map(known -> ": its periods are named as " + known.calendar().example())
                    .orElse(""),
                Suggestion.hint(word, history.latestNames(board))));
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
        "there is no board '%s'%s; the boards are %s"
            .formatted(
                word,
                Suggestion.hint(word, known),
                known.stream().collect(Collectors.joining(", "))));
  }
}
