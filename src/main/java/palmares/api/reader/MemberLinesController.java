package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.reader.ConditionalReads.Read;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.period.Period;
import palmares.rules.board.MemberId;

/** Returns a member's line, and its neighbours. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}/members/{member}")
class MemberLinesController {
  private final ConditionalReads conditionalReads;

  MemberLinesController(ConditionalReads conditionalReads) {
    this.conditionalReads = conditionalReads;
  }

  @GetMapping
  @Nullable ResponseEntity<MemberLineView> member(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      WebRequest request) {
    MemberId id = ParameterLimits.member(member);
    return conditionalReads.answer(
        board,
        period,
        request,
        1,
        (found, lines) -> {
          var standing = lines.member(id).orElseThrow(() -> unknown(id, found));
          return new Read<>(standing.version(), MemberLineView.of(standing));
        });
  }

  @GetMapping("/around")
  @Nullable ResponseEntity<BoardView> around(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      @RequestParam(defaultValue = "5") int neighbours,
      WebRequest request) {
    MemberId id = ParameterLimits.member(member);
    int limited = ParameterLimits.neighbours(neighbours);
    return conditionalReads.answer(
        board,
        period,
        request,
        2 * limited + 1,
        (found, lines) -> {
          Section section = lines.around(id, limited);
          if (section.lines().isEmpty()) {
            throw unknown(id, found);
          }
          return new Read<>(section.version(), BoardView.of(found, section));
        });
  }

  private static ProblemException unknown(MemberId member, Period period) {
    return new ProblemException(
        Problem.UNKNOWN_MEMBER, "%s is not on the board %s".formatted(member, period.label()));
  }

  /**
   * The JSON form of a member's line, in relation to the whole board.
   *
   * @param members number of ranked members
   * @param percentile the percentage of ranked members that are not ahead of it, itself included;
   *     rounded down to two decimals, so that only the first have 100; null if it has no rank
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record MemberLineView(
      @JsonUnwrapped LineView line, long members, @Nullable BigDecimal percentile) {
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
}
