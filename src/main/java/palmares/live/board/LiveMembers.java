package palmares.live.board;

import java.util.List;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** Finds members on live boards, including adopted ones. */
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

  /** Whether the member is on the live board of a period that is not settled yet. */
  public boolean isOnLiveBoard(MemberId member) {
    return isOnLiveBoard(member, board -> true);
  }

  /** As {@link #isOnLiveBoard(MemberId)}, on some boards only. */
  public boolean isOnLiveBoard(MemberId member, Predicate<BoardId> boards) {
    return marks.unsettled().stream()
        .map(periods::get)
        .filter(period -> boards.test(period.board()))
        .anyMatch(period -> holds(period, member));
  }

  private boolean holds(Period period, MemberId member) {
    Board board = definitions.of(period);
    return board
        .kind()
        .map(() -> holds(period, board, member), adoption -> adopted.holds(period, board, member));
  }

  private boolean holds(Period period, Board board, MemberId member) {
    try {
      return live.find(period, board, List.of(member)).stream()
          .anyMatch(page -> !page.lines().isEmpty());
    } catch (LiveBoardUnavailable rebuilding) {
      return false; // the caller has searched PostgreSQL, from which the board is rebuilt
    }
  }
}
