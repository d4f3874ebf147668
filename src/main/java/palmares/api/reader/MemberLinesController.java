package palmares.api.reader;

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
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.period.Period;
import palmares.rules.board.MemberId;

/** Answers where a member stands, and who stands beside it. */
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
        (found, there) -> {
          var standing = there.member(id).orElseThrow(() -> unknown(id, found));
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
        (found, there) -> {
          Section section = there.around(id, limited);
          if (section.lines().isEmpty()) {
            throw unknown(id, found);
          }
          return new Read<>(section.version(), BoardView.of(found, section));
        });
  }

  private static ProblemException unknown(MemberId member, Period period) {
    return new ProblemException(
        Problem.UNKNOWN_MEMBER, "%s does not stand on %s".formatted(member, period.label()));
  }
}
