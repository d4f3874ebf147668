package palmares.live.board;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberScore;

/**
 * A line of a live board.
 *
 * @param place position among the ranked members, from 1; for an unranked member among all
 * @param rank by the board's rank method; 0 if the member is excluded from ranks
 * @param ahead how many members have a better place; if equal ones share a rank, a better level
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
