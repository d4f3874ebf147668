package palmares.cli;

import java.util.Optional;
import palmares.cli.launch.RunningApplication;
import palmares.cli.terminal.UserError;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.form.Suggestion;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;

/** Checks arguments, and finds the boards and periods that they name. */
record Arguments(Catalogue boards, RunningApplication app) {

  /**
   * Finds a board that has a file.
   *
   * @throws UserError if there is none of that name
   */
  static Board inForce(Catalogue boards, String word) {
    return id(word).flatMap(boards::find).orElseThrow(() -> unknown(boards, word));
  }

  /**
   * Finds a board that has a file, or had one while it had periods.
   *
   * @throws UserError if there is none of that name
   */
  BoardId board(String word) {
    return id(word)
        .filter(id -> boards.find(id).isPresent() || history().knows(id))
        .orElseThrow(() -> unknown(boards, word));
  }

  /**
   * Finds a period, in any state.
   *
   * @throws UserError if the board has none of that name
   */
  Period period(BoardId board, String word) {
    return name(word)
        .flatMap(name -> app.get(Periods.class).find(board, name))
        .orElseThrow(() -> unknownPeriod(board, word));
  }

  /** As {@link #period}, as reports show it. */
  PeriodSummary summary(BoardId board, String word) {
    return name(word)
        .flatMap(name -> history().find(board, name))
        .orElseThrow(() -> unknownPeriod(board, word));
  }

  /**
   * Finds a settled period.
   *
   * @throws UserError if there is none of that name, or it is not settled
   */
  PeriodSummary settled(BoardId board, String word) {
    PeriodSummary period = summary(board, word);
    if (period.settledAt() != null) {
      return period;
    }
    throw UserError.badInput(
        period.closesAt() == null
            ? "%s never closes, so it is never settled".formatted(period.label())
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

  UserError unknownPeriod(BoardId board, String word) {
    return UserError.badInput(
        "the board '%s' has no period '%s'%s%s",
        board,
        word,
        boards
            .find(board)
            .map(known -> ": its periods are named like " + known.calendar().example())
            .orElse(""),
        Suggestion.hint(word, history().latestNames(board)));
  }

  /**
   * The member's id.
   *
   * @throws UserError if no member can have it
   */
  static MemberId member(String word) {
    try {
      return new MemberId(word);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
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

  private PeriodHistory history() {
    return app.get(PeriodHistory.class);
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
