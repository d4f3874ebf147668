package palmares.api.reader.lines;

import org.springframework.stereotype.Component;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.live.member.PublicProfiles;
import palmares.operations.report.PalmaresReport;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.rules.board.Board;

/** A period's lines: from Redis until it is settled, from the published list from then on. */
@Component
public class PeriodBoards {
  private final LiveQueries live;
  private final LiveBoardMarks marks;
  private final PalmaresReport published;
  private final BoardDefinitions definitions;
  private final PublicProfiles publicProfiles;

  PeriodBoards(
      LiveQueries live,
      LiveBoardMarks marks,
      PalmaresReport published,
      BoardDefinitions definitions,
      PublicProfiles publicProfiles) {
    this.live = live;
    this.marks = marks;
    this.published = published;
    this.definitions = definitions;
    this.publicProfiles = publicProfiles;
  }

  /**
   * @throws ProblemException if the board is adopted, and the period not settled yet: until then
   *     only its own program can answer
   */
  public PeriodBoard of(Period period) {
    Board rules = definitions.of(period);
    PeriodBoard board = board(period, rules);
    return rules.invites() == null ? board : new InviteBoard(board, rules, publicProfiles);
  }

  private PeriodBoard board(Period period, Board rules) {
    if (period.state().isSettled()) {
      return new SettledBoard(published, period, rules);
    }
    if (rules.adoption() != null) {
      throw new ProblemException(
          Problem.ADOPTED,
          "the board '%s' is adopted: ask your own program until %s is settled"
              .formatted(rules.id(), period.name()));
    }
    return new LiveBoard(live, period, rules, () -> absent(period));
  }

  /** A live board that was never made is empty; one that was lost must not look so. */
  private LivePage absent(Period period) {
    if (marks.wasCreated(period.id())) {
      throw new ProblemException(
          Problem.LIVE_BOARD_GONE,
          "the live board of %s is not in Redis: it was lost, or has just been settled"
              .formatted(period.label()));
    }
    return LivePage.empty();
  }
}
