package palmares.rules.catalogue.payouts;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scoring;

/**
 * What the rest of a board's file says that its payout must go with.
 *
 * @param actions the points that one of each action gives, by name; 0 where they are wrong, or
 *     where events bring their value
 * @param scoring null if it is wrong
 * @param maxPoints null if it is wrong, or not there
 * @param ranks null if it is wrong
 * @param adopted whether a program outside writes the board
 */
public record PayoutContext(
    Map<String, Long> actions,
    @Nullable Scoring scoring,
    @Nullable Long maxPoints,
    @Nullable RankMethod ranks,
    boolean adopted) {

  boolean fewestWin() {
    return scoring != null && scoring.fewestWin();
  }

  /** Whether no two members can have the same rank. */
  boolean unique() {
    return ranks == RankMethod.UNIQUE;
  }
}
