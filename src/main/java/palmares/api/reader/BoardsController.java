package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;
import palmares.api.reader.ConditionalReads.Read;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.PeriodBoard.Section;

/** Reads a board: the live board while the period is open, the outcome once it is settled. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}")
class BoardsController {
  private final ConditionalReads conditionalReads;

  BoardsController(ConditionalReads conditionalReads) {
    this.conditionalReads = conditionalReads;
  }

  @GetMapping
  @Nullable ResponseEntity<BoardView> board(
      @PathVariable String board, @PathVariable String period, WebRequest request) {
    return conditionalReads.answer(
        board,
        period,
        request,
        0,
        (found, lines) -> {
          Section none = lines.find(List.of());
          return new Read<>(none.version(), BoardView.withoutLines(found, none.members()));
        });
  }

  @GetMapping("/top")
  @Nullable ResponseEntity<BoardView> top(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "10") int count,
      @RequestParam(required = false) @Nullable Long fromRank,
      @RequestParam(required = false) @Nullable String after,
      WebRequest request) {
    int limited = ParameterLimits.count(count);
    if (fromRank != null && after != null) {
      throw ParameterLimits.invalid("'fromRank' and 'after' exclude each other: send one of them");
    }
    return conditionalReads.answer(
        board,
        period,
        request,
        limited,
        (found, lines) -> {
          Section page =
              after != null
                  ? lines.after(Cursor.of(after, found), limited)
                  : fromRank != null
                      ? lines.fromRank(ParameterLimits.rank("fromRank", fromRank), limited)
                      : lines.top(limited);
          return new Read<>(page.version(), BoardView.page(found, page));
        });
  }

  @GetMapping("/ranks/{rank}")
  @Nullable ResponseEntity<RankView> rank(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable long rank,
      WebRequest request) {
    ParameterLimits.rank("rank", rank);
    return conditionalReads.answer(
        board,
        period,
        request,
        1,
        (found, lines) -> {
          Section holding = lines.holding(rank);
          Long points = holding.lines().isEmpty() ? null : holding.lines().get(0).points();
          var view = new RankView(rank, holding.members(), points, lines.needed(holding));
          return new Read<>(holding.version(), view);
        });
  }

  /**
   * The points at a rank.
   *
   * @param members number of ranked members
   * @param points of the last line with this rank or a better one; null if there are fewer ranks
   * @param needed points with which a new member would have this rank or a better one; null if that
   *     exceeds the board's maximum, or the period is settled
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record RankView(long rank, long members, @Nullable Long points, @Nullable Long needed) {}
}
