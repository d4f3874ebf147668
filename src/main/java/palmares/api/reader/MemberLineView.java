package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;

/**
 * A member's line among all lines of the board.
 *
 * @param members how many have a rank on the board
 * @param percentile how many percent of them do not stand ahead of it, itself among these; cut to
 *     two decimals, so that only those have 100 whom nobody is ahead of; null if it is excluded
 *     from the ranks
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MemberLineView(@JsonUnwrapped LineView line, long members, @Nullable BigDecimal percentile) {
  private static final int DECIMALS = 2;

  static MemberLineView of(PeriodBoard.Standing standing) {
    Long ahead = standing.ahead();
    return new MemberLineView(
        standing.line(),
        standing.members(),
        ahead == null ? null : percentile(ahead, standing.members()));
  }

  static BigDecimal percentile(long ahead, long members) {
    return BigDecimal.valueOf(members - ahead)
        .movePointRight(2)
        .divide(BigDecimal.valueOf(members), DECIMALS, RoundingMode.DOWN);
  }
}
