package palmares.live.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberScore;

/**
 * One line of a live board.
 *
 * @param place position in the one exact order of the ranked, from 1; of one without a rank that
 *     among all
 * @param rank what the board's rank method makes of it; 0 if the member is excluded from the ranks
 * @param ahead how many members stand ahead of it: with a better place where ranks are unique, on a
 *     better level where equal ones share a rank
 */
public record LiveLine(long place, long rank, long ahead, MemberScore memberScore) {
  public boolean ranked() {
    return rank > 0;
  }

  public String member() {
    return memberScore.member();
  }

  public long points() {
    return memberScore.points();
  }

  public @Nullable Instant reachedAt() {
    return memberScore.reachedAt();
  }
}
