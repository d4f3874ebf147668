package palmares.reader;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.board.MemberId;
import palmares.http.Problem;
import palmares.http.ProblemException;
import palmares.intake.Reason;
import palmares.intake.Refusal;
import palmares.period.Period;

/** Answers what stands on a board: live while its period goes on, final once it is settled. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}")
class BoardsController {
  private static final int MOST_LINES = 1_000;

  private final Lookup lookup;
  private final Standings standings;

  BoardsController(Lookup lookup, Standings standings) {
    this.lookup = lookup;
    this.standings = standings;
  }

  @GetMapping("/top")
  BoardView top(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "10") int count) {
    Period found = lookup.period(board, period);
    return BoardView.of(found, standings.top(found, limited("count", count, 1)));
  }

  @GetMapping("/members/{member}")
  LineView member(
      @PathVariable String board, @PathVariable String period, @PathVariable String member) {
    Period found = lookup.period(board, period);
    return around(found, member, 0).get(0);
  }

  @GetMapping("/members/{member}/around")
  BoardView around(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      @RequestParam(defaultValue = "5") int neighbours) {
    Period found = lookup.period(board, period);
    return BoardView.of(found, around(found, member, limited("neighbours", neighbours, 0)));
  }

  private List<LineView> around(Period period, String member, int neighbours) {
    List<LineView> lines = standings.around(period, id(member), neighbours);
    if (lines.isEmpty()) {
      throw new ProblemException(
          Problem.UNKNOWN_MEMBER, "%s does not stand on %s".formatted(member, period.label()));
    }
    return lines;
  }

  private static MemberId id(String member) {
    try {
      return new MemberId(member);
    } catch (IllegalArgumentException e) {
      throw new Refusal(Reason.INVALID_FIELD, String.valueOf(e.getMessage()));
    }
  }

  private static int limited(String name, int value, int least) {
    if (value < least || value > MOST_LINES) {
      throw new Refusal(
          Reason.INVALID_FIELD,
          "'%s' is a number from %d to %d, not %d".formatted(name, least, MOST_LINES, value));
    }
    return value;
  }
}
