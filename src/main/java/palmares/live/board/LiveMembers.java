package palmares.live.board;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/** Who stands on any live board, ours or an adopted one. */
@Component
public class LiveMembers {
  private final LiveBoardMarks marks;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final LiveQueries live;
  private final AdoptedBoards adopted;

  LiveMembers(
      LiveBoardMarks marks,
      Periods periods,
      BoardDefinitions definitions,
      LiveQueries live,
      AdoptedBoards adopted) {
    this.marks = marks;
    this.periods = periods;
    this.definitions = definitions;
    this.live = live;
    this.adopted = adopted;
  }

  /** Whether the member stands on a board whose period is not settled yet. */
  public boolean stands(MemberId member) {
    return marks.unsettled().stream().map(periods::get).anyMatch(period -> holds(period, member));
  }

  private boolean holds(Period period, MemberId member) {
    Board board = definitions.of(period);
    if (board.adoption() != null) {
      return adopted.holds(period, board, member);
    }
    try {
      return live.find(period, board, List.of(member)).stream()
          .anyMatch(page -> !page.lines().isEmpty());
    } catch (LiveBoardHeld madeAnew) {
      return false; // From events that PostgreSQL has, which were looked at already.
    }
  }
}
