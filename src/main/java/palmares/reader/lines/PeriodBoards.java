package palmares.reader.lines;

import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.http.Problem;
import palmares.http.ProblemException;
import palmares.live.LivePage;
import palmares.live.LiveQueries;
import palmares.member.Cards;
import palmares.period.Definitions;
import palmares.period.LiveMarks;
import palmares.period.Period;
import palmares.report.Palmareses;

/** A period's lines: from Redis until it is settled, from the published list from then on. */
@Component
public class PeriodBoards {
  private final LiveQueries live;
  private final LiveMarks marks;
  private final Palmareses published;
  private final Definitions definitions;
  private final Cards cards;

  PeriodBoards(
      LiveQueries live,
      LiveMarks marks,
      Palmareses published,
      Definitions definitions,
      Cards cards) {
    this.live = live;
    this.marks = marks;
    this.published = published;
    this.definitions = definitions;
    this.cards = cards;
  }

  /**
   * @throws ProblemException if the board is adopted, and the period not settled yet: until then
   *     only its own program can answer
   */
  public PeriodBoard of(Period period) {
    Board rules = definitions.of(period);
    PeriodBoard board = board(period, rules);
    return rules.invites() == null ? board : new InviteBoard(board, rules, cards);
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
    if (marks.made(period.id())) {
      throw new ProblemException(
          Problem.LIVE_BOARD_GONE,
          "the live board of %s is not in Redis: it was lost, or has just been settled"
              .formatted(period.label()));
    }
    return LivePage.empty();
  }
}
