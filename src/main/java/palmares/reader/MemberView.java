package palmares.reader;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.math.RoundingMode;
import palmares.reader.lines.LineView;
import palmares.reader.lines.PeriodBoard;

/**
 * A member's line among all lines of the board.
 *
 * @param members how many stand on the board
 * @param percentile how many percent of them do not stand ahead of it, itself among these; cut to
 *     two decimals, so that only those have 100 whom nobody is ahead of
 */
record MemberView(@JsonUnwrapped LineView line, long members, BigDecimal percentile) {
  private static final int DECIMALS = 2;

  static MemberView of(PeriodBoard.Standing standing) {
    return new MemberView(
        standing.line(), standing.members(), percentile(standing.ahead(), standing.members()));
  }

  static BigDecimal percentile(long ahead, long members) {
    return BigDecimal.valueOf(members - ahead)
        .movePointRight(2)
        .divide(BigDecimal.valueOf(members), DECIMALS, RoundingMode.DOWN);
  }
}
